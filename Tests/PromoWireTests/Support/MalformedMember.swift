import PromoWire

/// The member that a reader finds wrong; nil where it reads without an error.
func malformedMember<Value>(_ read: () throws -> Value) throws -> String? {
    do {
        _ = try read()
        return nil
    } catch let error as MalformedResult {
        return error.member
    }
}

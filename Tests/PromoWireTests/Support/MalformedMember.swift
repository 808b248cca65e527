import PromoWire

/// The member that a reader reports as wrong; nil if it throws no error.
func malformedMember<Value>(_ read: () throws -> Value) throws -> String? {
    do {
        _ = try read()
        return nil
    } catch let error as MalformedResult {
        return error.member
    }
}

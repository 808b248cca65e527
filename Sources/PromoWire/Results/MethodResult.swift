/// The `result` of a reply.
package protocol MethodResult: Sendable {
    /// Writes the result's JSON object.
    func write(to writer: inout JSONWriter)
}

/// A value that a reply carries as its `result`.
package protocol MethodResult: Sendable {
    /// Writes the result's JSON object.
    func write(to writer: inout JSONWriter)
}

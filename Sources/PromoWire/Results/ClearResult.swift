/// The result of `clear`.
package struct ClearResult: MethodResult, Equatable {
    /// Creates the result, which is always the same.
    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("cleared", true) }
    }
}

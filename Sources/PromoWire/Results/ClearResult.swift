/// What `clear` answers.
package struct ClearResult: MethodResult, Equatable {
    /// The one answer that there is.
    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("cleared", true) }
    }
}

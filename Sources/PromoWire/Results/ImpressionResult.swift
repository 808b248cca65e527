/// The result of `impression`.
package struct ImpressionResult: MethodResult, Equatable {
    /// The number of events that were emitted.
    package var emitted: Int

    /// Creates a result.
    package init(emitted: Int) {
        self.emitted = emitted
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("emitted", emitted) }
    }
}

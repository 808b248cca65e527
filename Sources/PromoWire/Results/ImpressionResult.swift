/// What `impression` answers.
package struct ImpressionResult: MethodResult, Equatable {
    /// How many events were emitted.
    package var emitted: Int

    /// A result with its number of events.
    package init(emitted: Int) {
        self.emitted = emitted
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("emitted", emitted) }
    }
}

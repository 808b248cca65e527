/// The result of `reload`, sent once the configuration is in force.
package struct ReloadResult: MethodResult, Equatable {
    /// Creates the result, which is always the same.
    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("reloaded", true) }
    }
}

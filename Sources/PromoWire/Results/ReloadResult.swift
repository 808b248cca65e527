/// What `reload` answers when the configuration is in force.
package struct ReloadResult: MethodResult, Equatable {
    /// The one answer that there is.
    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("reloaded", true) }
    }
}

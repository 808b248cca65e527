/// Keeps a start from loading a cached catalog during whose load promod ended again and again.
struct LoadGuard: Sendable {
    /// nil if no service manager would restart this process.
    let file: CrashFile?
    let history: CrashHistory?

    /// Calls the closure, which loads the cached catalog if it is told that it may.
    func load(_ body: (_ mayLoad: Bool) -> Void) {
        guard let file, var history else { return body(true) }
        guard history.mayLoad else { return body(false) }
        history.loads += 1
        file.write(history)
        body(true)
        history.loads = 0
        file.write(history)
    }
}

/// Keeps a start from loading a cached catalog during whose load promod ended again and again.
struct LoadGuard: Sendable {
    /// nil if no service manager would restart this process.
    let file: CrashFile?
    let history: CrashHistory?

    /// How many runs before this one ended unexpectedly in a row.
    var crashes: Int { history?.crashes ?? 0 }

    /// When a load that a start left out is tried.
    static let pause: Duration = .seconds(3600)

    /// Whether a start leaves the load out.
    var hasSkipped: Bool { file != nil && history?.mayLoad == false }

    /// Calls the closure, which loads the cached catalog if it is told that it may.
    func load(_ body: (_ mayLoad: Bool) -> Void) {
        guard let file, var history else { return body(true) }
        guard history.mayLoad else { return body(false) }
        history.loads += 1
        file.write(history)
        body(true)
        end(history, in: file)
    }

    /// Calls the closure, which loads what a start left out. If promod ends meanwhile, the next start leaves it out too, because the file
    /// still has the count.
    func loadAgain(_ body: () -> Void) {
        body()
        if let file, let history { end(history, in: file) }
    }

    private func end(_ history: CrashHistory, in file: CrashFile) {
        var history = history
        history.loads = 0
        file.write(history)
    }
}

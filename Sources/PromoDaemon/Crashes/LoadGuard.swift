/// Keeps a start from loading the cached catalogs after several loads in a row that ended promod.
struct LoadGuard: Sendable {
    /// The file of the counts; nil if no service manager would restart this process.
    let file: CrashFile?
    let history: CrashHistory?

    /// The number of earlier runs in a row that ended unexpectedly.
    var crashes: Int { history?.crashes ?? 0 }

    /// The delay of a load that a start has skipped.
    static let pause: Duration = .seconds(3600)

    /// Whether this start skips the load.
    var hasSkipped: Bool { file != nil && history?.mayLoad == false }

    /// Calls the closure, which loads the cached catalogs if they may be loaded.
    func load(_ body: (_ mayLoad: Bool) -> Void) {
        guard let file, var history else { return body(true) }
        guard history.mayLoad else { return body(false) }
        history.loads += 1
        file.write(history)
        body(true)
        end(history, in: file)
    }

    /// Calls the closure, which loads what the start has skipped. If that ends promod, the next start skips it too, because the file still
    /// has the count.
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

import Dispatch
public import FoundationEssentials

/// Opens pages of the store on the person's desktop.
public enum StoreOpener {
    /// How long the desktop may take to say that it cannot; some openers stay as long as what they opened.
    private static let patience = Duration.seconds(5)

    /// Opens a page with `xdg-open`.
    /// - Returns: whether the desktop took it.
    public static func open(_ url: URL) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "CrossPromoKit.open").async { continuation.resume(returning: openNow(url)) }
        }
    }

    /// Opens a page with `xdg-open`, and blocks until the desktop has taken it.
    package static func openNow(_ url: URL) -> Bool {
        guard let child = try? Subprocess(["xdg-open", url.absoluteString], output: .none) else { return false }
        guard let code = child.wait(until: .after(patience)) else {
            // Whenever it ends, somebody has to take note, or it stays in the table of processes.
            DispatchQueue(label: "CrossPromoKit.opened").async { _ = child.wait() }
            return true
        }
        return code == 0
    }
}

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
        switch child.wait(until: .after(patience)) {
        case nil, 0: return true
        default: return false
        }
    }
}

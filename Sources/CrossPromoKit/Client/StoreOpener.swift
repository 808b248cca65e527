import Dispatch
public import FoundationEssentials
import PromoSystem

/// Opens pages of the store on the user's desktop.
public enum StoreOpener {
    /// How long `xdg-open` may take to fail. If it runs longer, it has succeeded, and runs until the page is closed.
    private static let timeout = Duration.seconds(5)

    /// Opens a page with `xdg-open`.
    /// - Returns: whether `xdg-open` succeeded.
    public static func open(_ url: URL) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "CrossPromoKit.open").async { continuation.resume(returning: openNow(url)) }
        }
    }

    /// Opens a page with `xdg-open`, and blocks until that has succeeded or failed.
    package static func openNow(_ url: URL) -> Bool {
        guard let child = try? Subprocess(["xdg-open", url.absoluteString], output: .none) else { return false }
        guard let code = child.wait(until: .after(timeout)) else {
            // Without a wait, the process stays a zombie after its end.
            DispatchQueue(label: "CrossPromoKit.opened").async { _ = child.wait() }
            return true
        }
        return code == 0
    }
}

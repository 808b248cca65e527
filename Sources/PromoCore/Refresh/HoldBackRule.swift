package import PromoWire

/// Decides whether a fetched catalog is held back, because it lacks too many of the apps that are served.
///
/// A publisher's mistake, such as a list that was cut off, should not empty every desktop at once. So the measure is relative, and
/// the same loss in a second fetch is believed.
package struct HoldBackRule: Sendable {
    /// Fewer apps than this may all go.
    private static let fewApps = 4

    private let isOn: Bool
    /// The catalog that is held back already.
    private let before: HeldBack?
    /// The shortest time between two fetches that are believed.
    private let wait: Duration

    /// A rule for one fetch.
    /// - Parameter isOn: whether anything is held back; not if the configuration turns it off, or a person accepts what comes.
    package init(isOn: Bool, before: HeldBack?, wait: Duration) {
        self.isOn = isOn
        self.before = before
        self.wait = wait
    }

    /// Whether the new catalog is held back.
    package func holdsBack(_ next: HeldCatalog, for old: HeldCatalog, now: Timestamp) -> Bool {
        heldBack(next.catalog, for: old.catalog, age: .zero, now: now) != nil
    }

    /// What is held back; nil if the new catalog is taken.
    /// - Parameter age: the time since the origin sent the response. If that is since the first fetch, it is the same response again.
    func heldBack(
        _ next: PreparedCatalog, for old: PreparedCatalog, age: Duration, now: Timestamp
    ) -> HeldBack? {
        guard isOn, old.count >= Self.fewApps else { return nil }
        let lost = old.storePages(missingIn: next).count
        guard lost * 2 > old.count else { return nil }
        let apps = next.appsDigest
        let since = before.flatMap { $0.apps == apps ? $0.status.since : nil }
        if let since {
            // An age is cut to whole seconds.
            let isFirstReply = now - age <= since + .seconds(1)
            if now >= since + wait, !isFirstReply { return nil }
        }
        return HeldBack(status: HeldBackStatus(since: since ?? now, apps: next.count, lost: lost), apps: apps)
    }
}

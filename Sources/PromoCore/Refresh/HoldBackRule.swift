import PromoWire

/// Decides whether a fetched catalog is held back because it lacks too many of the served apps.
///
/// A publisher's mistake, such as a list that was cut off, should not empty every desktop at once. The same loss in a second fetch is
/// believed.
package struct HoldBackRule: Sendable {
    /// The smallest number of served apps to which the rule applies.
    private static let minimumApps = 4

    private let isOn: Bool
    /// The catalog that is held back already.
    private let before: HeldBack?
    /// The shortest time between two fetches that confirm each other.
    private let wait: Duration

    /// Creates the rule for one fetch.
    /// - Parameter isOn: false if the configuration turns the rule off, or a person accepts whatever is fetched.
    package init(isOn: Bool, before: HeldBack?, wait: Duration) {
        self.isOn = isOn
        self.before = before
        self.wait = wait
    }

    /// The catalog that is held back; nil if the new one is accepted.
    /// - Parameter age: the age of the response. If it was sent before the first fetch, it is the same response from a cache.
    func heldBack(
        _ next: PreparedCatalog, for old: PreparedCatalog, age: Duration, now: Timestamp
    ) -> HeldBack? {
        guard isOn, old.count >= Self.minimumApps else { return nil }
        let lost = old.storePages(missingIn: next).count
        guard lost * 2 > old.count else { return nil }
        let apps = next.appsDigest
        let since = before.flatMap { $0.apps == apps ? $0.status.since : nil }
        if let since {
            // An age is in whole seconds, rounded down.
            let isFirstReply = now - age <= since + .seconds(1)
            if now >= since + wait, !isFirstReply { return nil }
        }
        return HeldBack(status: HeldBackStatus(since: since ?? now, apps: next.count, lost: lost), apps: apps)
    }
}

package import PromoWire

/// A fetched catalog that lacks more than half of the apps, and is held back until a second fetch shows the same.
package struct HeldBack: Equatable, Sendable {
    /// The part that `status` reports.
    package private(set) var status: HeldBackStatus
    /// A digest of its apps' ids.
    package let apps: String

    init(status: HeldBackStatus, apps: String) {
        self.status = status
        self.apps = apps
    }

    mutating func clockSet(by step: Duration) {
        status.since = status.since + step
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("since", status.since)
        writer.member("count", status.apps)
        writer.member("lost", status.lost)
        writer.member("apps", apps)
    }

    init?(_ json: JSONValue?) {
        guard let json, let since = json["since"]?.time,
            let count = json["count"]?.integer, let lost = json["lost"]?.integer,
            let apps = json["apps"]?.ascii(upTo: 64)
        else { return nil }
        self.init(status: HeldBackStatus(since: since, apps: count, lost: lost), apps: apps)
    }
}

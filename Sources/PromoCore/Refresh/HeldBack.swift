package import PromoWire

/// A fetched catalog that lost more than half of its apps, and is kept back until a second fetch shows the same.
package struct HeldBack: Equatable, Sendable {
    /// What `status` reports.
    package private(set) var status: HeldBackStatus
    /// Which apps it has.
    package let apps: String

    init(status: HeldBackStatus, apps: String) {
        self.status = status
        self.apps = apps
    }

    /// The wall clock was set forward, or back by a negative duration.
    mutating func clockSet(by step: Duration) {
        status.since = status.since + step
    }

    /// Reads what ``JSONWriter/member(_:_:)`` wrote; nil for anything else.
    init?(_ json: JSONValue?) {
        guard let json, let since = json["since"]?.time,
            let count = json["count"]?.integer, let lost = json["lost"]?.integer,
            let apps = json["apps"]?.ascii(upTo: 64)
        else { return nil }
        self.init(status: HeldBackStatus(since: since, apps: count, lost: lost), apps: apps)
    }
}

extension JSONWriter {
    /// Writes a member for the schedule's file; none for nil.
    mutating func member(_ name: String, _ heldBack: HeldBack?) {
        guard let heldBack else { return }
        self.name(name)
        object { writer in
            writer.member("since", heldBack.status.since)
            writer.member("count", heldBack.status.apps)
            writer.member("lost", heldBack.status.lost)
            writer.member("apps", heldBack.apps)
        }
    }
}

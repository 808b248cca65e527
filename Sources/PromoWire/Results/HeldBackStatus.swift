/// A catalog that lost more than half of its apps and is not served yet, as `status` and events report it.
package struct HeldBackStatus: Equatable, Sendable {
    /// When it was first fetched.
    package var since: Timestamp
    /// How many apps it has.
    package var apps: Int
    /// How many of the served apps it lacks.
    package var lost: Int

    /// Creates a status from its parts.
    package init(since: Timestamp, apps: Int, lost: Int) {
        self.since = since
        self.apps = apps
        self.lost = lost
    }

    /// Reads the member `heldBack` of an object; nil if it is null or missing.
    package init?(in json: JSONValue) throws(MalformedResult) {
        guard let json = json["heldBack"], json.kind == .object else { return nil }
        self.init(since: try json.time("since"), apps: try json.integer("apps"), lost: try json.integer("lost"))
    }
}

extension JSONWriter {
    /// Writes a member whose value is a catalog that is held back, or null.
    package mutating func member(_ name: String, _ heldBack: HeldBackStatus?) {
        self.name(name)
        guard let heldBack else { return value(nil as String?) }
        object { writer in
            writer.member("since", heldBack.since)
            writer.member("apps", heldBack.apps)
            writer.member("lost", heldBack.lost)
        }
    }
}

/// Another promod that keeps the cache, which this one only reads.
package struct CacheOwner: Equatable, Sendable, CustomStringConvertible {
    /// Its process id; nil if that is not known.
    package let pid: Int?
    /// The name of its machine; nil if it is this one, or is not known.
    package let host: String?

    /// Whether it is known to run on this machine.
    package let isHere: Bool

    /// Creates an owner from its parts.
    package init(pid: Int?, host: String?, isHere: Bool = false) {
        (self.pid, self.host, self.isHere) = (pid, host, isHere)
    }

    /// Reads the member `owner` of an object; nil if it is null or missing.
    init?(in json: JSONValue) throws(MalformedResult) {
        guard let json = json["owner"], json.kind == .object else { return nil }
        self.init(pid: try json.optionalInteger("pid"), host: try json.optionalString("host"))
    }

    /// Its name within a sentence.
    package var description: String {
        let process = pid.map { " (pid \($0))" } ?? ""
        return host.map { "promod on \($0)\(process)" } ?? "another promod\(process)"
    }
}

extension JSONWriter {
    /// Writes a member whose value is the owner of a cache, or null.
    mutating func member(_ name: String, _ owner: CacheOwner?) {
        self.name(name)
        guard let owner else { return value(nil as String?) }
        object { writer in
            writer.member("host", owner.host)
            writer.name("pid")
            if let pid = owner.pid { writer.value(pid) } else { writer.value(nil as String?) }
        }
    }
}

/// Another promod that keeps the cache, which this one only reads.
package struct CacheOwner: JSONObject, Equatable, CustomStringConvertible {
    package private(set) var host: String?
    package private(set) var pid: Int?
    /// Whether it certainly runs on this machine.
    package private(set) var isHere = false

    package static let members: [Member<CacheOwner>] = [
        Member("host", \.host, "the name of its machine; null if it is this one, or is not known"),
        Member("pid", \.pid, "its process id; null if that is not known"),
    ]

    package init() {}

    /// Creates an owner from its parts.
    package init(pid: Int?, host: String?, isHere: Bool = false) {
        (self.pid, self.host, self.isHere) = (pid, host, isHere)
    }

    /// Its name within a sentence.
    package var description: String {
        let process = pid.map { " (pid \($0))" } ?? ""
        return host.map { "promod on \($0)\(process)" } ?? "another promod\(process)"
    }
}

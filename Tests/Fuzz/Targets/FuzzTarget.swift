/// A parser or a machine, and what has to hold of it for any bytes.
package struct FuzzTarget: Sendable {
    /// The name on the command line, which is also the name of the directory of its corpus.
    package let name: String
    /// Checks everything that has to hold for these bytes.
    /// - Throws: ``Violation`` if it does not; many faults trap instead.
    package let check: @Sendable (_ bytes: [UInt8]) throws -> Void

    /// Every target.
    package static let all = [
        framer, json, request, list, connection, catalog, cacheFile, scheduleFile, historyFile, configuration, dates,
        url, reply, gunzip, fetch, dropIn, proxy, iconBook, picture,
    ]

    /// The target with a name; nil if there is none.
    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

/// A property that does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String
}

/// Checks a property.
func require(_ holds: Bool, _ claim: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(description: claim()) }
}

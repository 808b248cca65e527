package import PromoWire

/// Whether promod's own directories are still those with which it began: something may have been mounted over one.
package struct OwnDirectories: Equatable, Sendable {
    /// What follows from a look.
    package enum Verdict: Equatable, Sendable {
        case own
        /// Another one is in the place of one, perhaps for a moment; look again at this time.
        case lookAgain(at: Milliseconds)
        /// Another one has been in the place of this one for long enough.
        case replaced(String)
    }

    /// How long another directory has to be there, since a person may be moving them.
    package static let patience: Milliseconds = 2000

    /// The device and the number of each directory, or of that in which it would be made, by its path.
    package private(set) var places: [String: [UInt64]] = [:]
    private var since: Milliseconds?

    /// No directories yet.
    package init() {}

    /// Takes what a look has found.
    /// - Parameters:
    ///   - found: the places as they are now.
    ///   - replaced: the path of a place that is another one; nil if none is.
    package mutating func looked(_ found: [String: [UInt64]], replaced: String?, now: Milliseconds) -> Verdict {
        guard let replaced else {
            (places, since) = (found, nil)
            return .own
        }
        guard let since else {
            self.since = now
            return .lookAgain(at: now + Self.patience)
        }
        guard now - since >= Self.patience else { return .own }
        (places, self.since) = (found, nil)
        return .replaced(replaced)
    }
}

package import PromoWire

/// Decides when the pictures of a catalog are fetched: in one run after each fetch of the catalog, if a client has asked for them since
/// the one before, and in one at the first ask. It keeps no time for a picture, and reads no clock: each event comes with its time.
package struct IconSchedule: Equatable, Sendable {
    /// The run that belongs to the last fetch of the catalog.
    private enum Run: Equatable {
        /// It has not been made, or has to be made again.
        case missing
        /// It ended at a time, and no host had answered; so it counts as none.
        case inVain(Timestamp)
        case made
    }

    /// The shortest time between a run in vain and the next one.
    private static let gap = Duration.seconds(60)

    /// Whether a client has asked for pictures since the last fetch of the catalog, or the run after that was in vain.
    package private(set) var isAsked = false
    /// Until when hosts rest, because they have sent a Retry-After.
    private var rests: [String: Timestamp] = [:]
    private var run = Run.missing

    /// Creates the schedule of pictures that nobody has asked for.
    package init() {}

    /// A client has asked for pictures.
    /// - Parameter canFetch: whether they can be fetched now; called only if that matters.
    /// - Returns: whether a run over the missing pictures begins.
    package mutating func asked(now: Timestamp, canFetch: () -> Bool) -> Bool {
        isAsked = true
        switch run {
        case .made: return false
        case .inVain(let time) where (.zero..<Self.gap).contains(now - time): return false
        case .missing, .inVain: return canFetch()
        }
    }

    /// The catalog was fetched, or confirmed.
    /// - Returns: whether a run over all pictures begins, of which one that is under way becomes a part.
    package mutating func catalogFetched() -> Bool {
        defer { isAsked = false }
        run = .missing
        return isAsked
    }

    /// Other pictures are missing than those that the last run has tried, so the next ask has them fetched.
    package mutating func lost() { run = .missing }

    /// A run has ended.
    /// - Returns: whether it was in vain as the one before, so that it tells nothing new.
    package mutating func ended(_ ended: IconRun, now: Timestamp) -> Bool {
        let wasInVain = if case .inVain = run { true } else { false }
        defer { if ended.isInVain { isAsked = true } }
        run = ended.isInVain ? .inVain(now) : .made
        return wasInVain && ended.isInVain
    }

    // MARK: Hosts

    /// A host has asked to be left alone for a while.
    package mutating func rest(_ url: HTTPSURL, for delay: Duration, now: Timestamp) {
        rests = rests.filter { isAhead($0.value, now) }
        rests[IconRun.host(url)] = now + min(delay, RetryAfter.longest)
    }

    /// Whether the host of an address rests.
    package func isResting(_ url: HTTPSURL, now: Timestamp) -> Bool {
        rests[IconRun.host(url)].map { isAhead($0, now) } ?? false
    }

    /// Whether a rest goes on; one that is longer than the longest was stored while the clock was ahead.
    private func isAhead(_ end: Timestamp, _ now: Timestamp) -> Bool {
        end > now && end.isBelievable(now: now + RetryAfter.longest)
    }

    // MARK: The file

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("asked", isAsked)
        writer.member("rests", rests.mapValues { Int($0.milliseconds) })
    }

    init(_ json: JSONValue) {
        isAsked = json["asked"]?.boolean ?? false
        rests = ([String: Int].read(json["rests"]) ?? [:]).mapValues { Timestamp(milliseconds: Int64($0)) }
            // Another name was not written by promod.
            .filter { host, _ in HTTPSURL("https://\(host)/").map(IconRun.host) == host }
    }
}

/// A run that fetches the pictures of a catalog, one after another.
package struct IconRun: Sendable {
    /// The number of failures in a row, of those that a host may have caused, after which it is skipped for the rest of the run.
    private static let patience = 2

    private var queue: ArraySlice<String> = []
    /// The addresses that are being fetched or are to be, and those that were.
    private var ahead: Set<String> = [], tried: Set<String> = []
    /// The address that is being fetched.
    package private(set) var current: String?
    /// The number of such failures of each host since its last answer.
    private var faults: [String: Int] = [:]
    private var hasReachedHost = false
    /// The number of failed attempts, and the message of the first.
    package private(set) var failed: (count: Int, first: String)?
    /// The number of addresses that were skipped because of their hosts or the room.
    package private(set) var skipped = 0

    /// The number of pictures received.
    package private(set) var arrivals = 0

    /// Creates a run without addresses.
    package init() {}

    /// Whether no host has answered.
    package var isInVain: Bool { failed != nil && !hasReachedHost }

    /// Fetches these addresses, in their order, and no others; each once.
    package mutating func plan(_ urls: [String]) {
        queue = urls.filter { $0 != current && !tried.contains($0) }[...]
        ahead = Set(queue).union([current].compactMap(\.self))
    }

    /// Whether an address is being fetched, or is to be.
    package func isAhead(_ text: String) -> Bool { ahead.contains(text) }

    /// Takes the next address, as the catalog writes it and as a URL; nil at the end.
    /// - Parameter isSkipped: whether an address is to be left out now.
    /// - Returns: the address, and those before it that were skipped.
    package mutating func next(
        unless isSkipped: (String, HTTPSURL) -> Bool
    ) -> (next: (text: String, url: HTTPSURL)?, skipped: [String]) {
        var left: [String] = []
        while let text = queue.popFirst() {
            if let url = HTTPSURL(text), faults[Self.host(url), default: 0] < Self.patience, !isSkipped(text, url) {
                current = text
                return ((text, url), left)
            }
            left.append(text)
            ahead.remove(text)
            skipped += 1
        }
        return (nil, left)
    }

    /// A host has sent a picture, which may be another than the last, or has confirmed the last.
    package mutating func succeeded(_ url: HTTPSURL, isNew: Bool) {
        end()
        (hasReachedHost, faults[Self.host(url)]) = (true, nil)
        if isNew { arrivals += 1 }
    }

    /// A fetch has failed, perhaps with a response's status.
    package mutating func failed(_ url: HTTPSURL, _ failure: Failure, status: Int?) {
        end()
        failed = (1 + (failed?.count ?? 0), failed?.first ?? failure.message)
        switch failure.code.known {
        case .dns, .connect, .tls, .untrusted, .certificateTime, .certificate, .proxy, .timeout, .unavailable,
            .fetchProcess, .configuration, .storage:
            faults[Self.host(url), default: 0] += 1
            if status != nil { hasReachedHost = true }
        default: (hasReachedHost, faults[Self.host(url)]) = (true, nil)
        }
    }

    private mutating func end() {
        guard let ended = current else { return }
        ahead.remove(ended)
        tried.insert(ended)
        current = nil
    }

    fileprivate static func host(_ url: HTTPSURL) -> String { "\(url.host):\(url.port)" }
}

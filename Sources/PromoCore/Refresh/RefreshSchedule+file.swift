package import PromoWire

extension RefreshSchedule {
    /// The part of a schedule that is stored beside the catalog, so that a restart neither shortens a pause nor asks more often.
    package struct Record: Equatable, Sendable {
        /// The number of failures in a row.
        package var failures = 0
        /// The end of the pause after a failure, which a manual refresh and an expired list ignore.
        package var notBefore: Timestamp?
        /// The end of the pause for which the origin asked.
        package var retryAfter: Timestamp?
        /// When the last attempt began.
        package var lastAttemptAt: Timestamp?
        /// Whether an attempt is under way; at a start, whether the last process ended during one.
        package var isUnderWay = false
        package var lastOutcome: RefreshResult.Outcome?
        /// Why the last attempt failed.
        package var lastError: Failure?
        /// When the origin last sent the whole catalog; nil also if it may refuse conditions.
        package var wholeAt: Timestamp?
        /// Where the address has moved for good, as the last success found; nil if it has not.
        package var movedTo: String?
        /// When a client was answered from it, exact to a day, if it may rest.
        package var askedAt: Timestamp?

        /// Creates the record of an origin that was never asked.
        package init() {}

        /// No pause depends on a higher number of failures.
        static let maximumFailures = 1_000_000_000
    }
}

extension RefreshSchedule.Record {
    /// The contents of the file in which the record is stored: a line of JSON.
    package var fileBytes: [UInt8] {
        var record = self
        return JSONWriter.line { MemberVisitor.writeMembers(to: &$0) { record.visitMembers(&$0) } }
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else. Unknown members are ignored.
    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root,
            (try? MemberVisitor.read(root, allowsAbsent: true) { visitMembers(&$0) }) != nil,
            0...Self.maximumFailures ~= failures
        else { return nil }
    }

    private mutating func visitMembers(_ member: inout MemberVisitor) {
        member("failures", &failures)
        member("notBefore", &notBefore.roundedUp)
        member("retryAfter", &retryAfter.roundedUp)
        member("lastAttemptAt", &lastAttemptAt)
        member.ifPresent("underWay", &isUnderWay[unless: false])
        member("lastOutcome", &lastOutcome.growing)
        member("lastError", &lastError)
        member("wholeAt", &wholeAt)
        member.ifPresent("movedTo", &movedTo)
        member.ifPresent("askedAt", &askedAt)
    }
}

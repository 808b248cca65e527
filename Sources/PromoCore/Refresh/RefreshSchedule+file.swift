import PromoWire

extension RefreshSchedule {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("url", url)
        if let phase { writer.member("phase", phase.millionths) }
        if let off { writer.object("off", off.writeMembers) }
        if let clock {
            writer.member("originDate", clock.date)
            writer.member("clockAhead", Int(clock.ahead.components.seconds))
        }
        if missedDelays > 0 { writer.member("missedDelays", missedDelays) }
        writer.member("attempt", attempt)
        if gone > 0 { writer.member("gone", gone) }
        writer.member("notBefore", notBefore?.roundedUpToSecond)
        writer.member("retryAfter", retryAfter?.roundedUpToSecond)
        writer.member("lastAttemptAt", lastAttemptAt)
        writer.member("lastEndAt", lastEndAt?.roundedUpToSecond)
        if isUnderWay { writer.member("underWay", true) }
        writer.member("lastOutcome", lastOutcome?.rawValue)
        writer.member("lastError", lastError)
        if let heldBack { writer.object("heldBack", heldBack.writeMembers) }
    }

    /// Reads what ``writeMembers(to:)`` wrote; nil for anything else. Unknown members are ignored.
    init?(_ root: JSONValue) {
        guard root.kind == .object, let attempt = root["attempt"]?.integer,
            (0...Self.maximumAttempt).contains(attempt)
        else { return nil }
        self.attempt = attempt
        gone = min(max(root["gone"]?.integer ?? 0, 0), attempt)
        phase = root["phase"]?.integer.flatMap(RefreshPhase.init(millionths:))
        off = OffHours(root["off"])
        if let date = root["originDate"]?.time, let ahead = root["clockAhead"]?.integer,
            ahead.magnitude <= Self.maximumClockAhead
        {
            clock = OriginClock(date: date, ahead: .seconds(ahead))
        }
        missedDelays = min(max(root["missedDelays"]?.integer ?? 0, 0), Self.maximumMissedDelays)
        url = root["url"]?.ascii(upTo: HTTPSURL.maximumLength)
        func time(_ name: String) -> Timestamp? { root[name]?.time }
        notBefore = time("notBefore")
        retryAfter = time("retryAfter")
        isUnderWay = root["underWay"]?.boolean ?? false
        lastAttemptAt = time("lastAttemptAt")
        lastEndAt = time("lastEndAt")
        lastOutcome = root["lastOutcome"]?.word()
        heldBack = HeldBack(root["heldBack"])
        if let error = root["lastError"], let code: Failure.Code = error["code"]?.word() {
            lastError = Failure(code, error["message"]?.outsideText?.text ?? "")
        }
    }
}

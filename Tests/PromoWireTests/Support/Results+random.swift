import PromoTestSupport
import PromoWire

extension SeededGenerator {
    /// The value or nil, each half of the time.
    mutating func maybe<Value>(_ value: Value) -> Value? {
        Bool.random(using: &self) ? value : nil
    }

    /// Random text with quotes, control characters and scalars of every length.
    mutating func text() -> String { .randomText(using: &self) }

    /// A random count, zero or more.
    mutating func count() -> Int { .random(in: 0 ... .max, using: &self) }

    /// A random time in whole seconds, in the years 1 to 9999.
    mutating func time() -> Timestamp {
        Timestamp(seconds: .random(in: -62_135_596_800...253_402_300_799, using: &self))
    }

    /// A random case of a type.
    mutating func one<Value: CaseIterable>(of type: Value.Type = Value.self) -> Value {
        let all = Array(Value.allCases)
        return all[Int.random(in: 0..<all.count, using: &self)]
    }

    mutating func failure() -> Failure { Failure(one(), text()) }
}

extension TapResult {
    static func random(using generator: inout SeededGenerator) -> TapResult {
        TapResult(
            app: generator.text(), appStoreID: generator.text(), storeURL: generator.text(),
            offlineMessage: generator.maybe(generator.text()))
    }
}

extension LaunchResult {
    static func random(using generator: inout SeededGenerator) -> LaunchResult {
        LaunchResult(
            app: generator.text(), firstLaunch: generator.time(), isRecorded: .random(using: &generator))
    }
}

extension ReviewResult {
    static func random(using generator: inout SeededGenerator) -> ReviewResult {
        var result = ReviewResult()
        result.app = generator.text()
        result.isRequest = .random(using: &generator)
        if result.isRequest { result.reviewURL = generator.maybe(generator.text()) }
        if Bool.random(using: &generator) {
            result.reasons = Reason.allCases.filter { _ in .random(using: &generator) }
        }
        (result.eligibleAt, result.advice) = (generator.maybe(generator.time()), generator.maybe(generator.text()))
        return result
    }
}

extension RefreshResult {
    static func random(using generator: inout SeededGenerator) -> RefreshResult {
        RefreshResult(
            outcome: generator.one(), generation: generator.maybe(generator.text()),
            error: generator.maybe(generator.failure()), retryAt: generator.maybe(generator.time()))
    }
}

extension SubscribeResult {
    static func random(using generator: inout SeededGenerator) -> SubscribeResult {
        SubscribeResult(
            subscribed: EventKind.allCases.filter { _ in .random(using: &generator) }, epoch: generator.text(),
            since: generator.count())
    }
}

extension StatusResult {
    static func random(using generator: inout SeededGenerator) -> StatusResult {
        var status = StatusResult()
        (status.version, status.epoch, status.pid) = (generator.text(), generator.text(), generator.count())
        (status.startedAt, status.socket.path) = (generator.time(), generator.text())
        status.isOnline = .random(using: &generator)
        status.problems = (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) }
        status.catalogs = (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) }
        (status.socket.connections, status.socket.subscribers) = (generator.count(), generator.count())
        for method in MethodTable.all { status.requests[method.name] = generator.maybe(generator.count()) }
        return status
    }
}

extension Problem {
    fileprivate static func random(using generator: inout SeededGenerator) -> Problem {
        Problem(
            generator.one(), generator.text(), generator.text(), since: generator.time(),
            catalog: generator.maybe(generator.text()))
    }
}

extension CatalogStatus {
    fileprivate static func random(using generator: inout SeededGenerator) -> CatalogStatus {
        var status = CatalogStatus()
        (status.name, status.file) = (generator.text(), generator.maybe(generator.text()))
        status.url = generator.maybe(generator.text())
        status.freshness = Freshness(
            state: generator.one(), source: generator.one(), generation: generator.maybe(generator.text()),
            fetchedAt: generator.maybe(generator.time()), expiresAt: generator.maybe(generator.time()))
        (status.apps, status.attempts, status.failures) = (generator.count(), generator.count(), generator.count())
        (status.nextAt, status.nextReason) = (generator.maybe(generator.time()), generator.one())
        (status.lastAttemptAt, status.lastOutcome) = (
            generator.maybe(generator.time()), generator.maybe(generator.one())
        )
        (status.lastError, status.isRefreshing) = (generator.maybe(generator.one()), .random(using: &generator))
        return status
    }
}

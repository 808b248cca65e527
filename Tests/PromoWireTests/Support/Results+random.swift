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
        StatusResult(
            process: ProcessStatus(
                version: generator.text(), epoch: generator.text(), pid: generator.count(),
                startedAt: generator.time(), socketPath: generator.text(),
                configurationPath: generator.maybe(generator.text())),
            freshness: Freshness(
                state: generator.one(), source: generator.one(), generation: generator.maybe(generator.text()),
                fetchedAt: generator.maybe(generator.time()), expiresAt: generator.maybe(generator.time())),
            apps: generator.count(), isOnline: .random(using: &generator), refresh: .random(using: &generator),
            cache: CacheStatus(
                path: generator.text(), isStored: .random(using: &generator), error: generator.maybe(generator.text())),
            counters: .random(using: &generator),
            configuration: ConfigurationStatus(
                file: generator.maybe(generator.text()), error: generator.maybe(generator.text())),
            reviewsError: generator.maybe(generator.text()))
    }
}

extension RefreshStatus {
    fileprivate static func random(using generator: inout SeededGenerator) -> RefreshStatus {
        var status = RefreshStatus()
        status.url = generator.maybe(generator.text())
        status.proxy = generator.maybe(ProxyStatus(url: generator.text(), source: generator.text()))
        status.activity = Bool.random(using: &generator) ? .idle : .loading
        status.nextAt = generator.maybe(generator.time())
        status.reason = generator.one()
        status.attempt = generator.count()
        status.lastAttemptAt = generator.maybe(generator.time())
        status.lastOutcome = generator.maybe(generator.one())
        status.lastDuration = generator.maybe(.milliseconds(generator.count()))
        status.lastError = generator.maybe(generator.failure())
        return status
    }
}

extension QueryCounters {
    /// Random counters with a count for every method, as in a status.
    fileprivate static func random(using generator: inout SeededGenerator) -> QueryCounters {
        var counters = QueryCounters()
        counters.connections = generator.count()
        counters.subscribers = generator.count()
        counters.refused = generator.count()
        for reason in ErrorReason.allCases { counters.errorReplies[reason] = generator.maybe(generator.count()) }
        for method in MethodTable.all { counters.requests[method.name] = generator.count() }
        return counters
    }
}

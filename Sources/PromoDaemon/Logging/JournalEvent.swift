package import Logging

/// The events in the log. The raw value is the journal field `PROMOD_EVENT`. Each event has one level, so that levels are consistent.
///
/// - critical: promod ends.
/// - error: a problem that promod cannot recover from, so that a person has to act.
/// - warning: a problem that promod recovers from, or continues despite.
/// - notice: no problem, but a person may want to know.
/// - info: an action of promod.
/// - debug: a step of an action.
package enum JournalEvent: String, CaseIterable, Sendable {
    case started
    case stopped
    case unconfined
    case directoryTightened = "directory-tightened"
    case notNotified = "not-notified"
    case fetchStarted = "fetch-started"
    case refreshUpdated = "refresh-updated"
    case refreshUnchanged = "refresh-unchanged"
    case refreshFailed = "refresh-failed"
    case routesNotWatched = "routes-not-watched"
    case clockNotWatched = "clock-not-watched"
    case configurationReloaded = "configuration-reloaded"
    case configurationBroken = "configuration-broken"
    case dropInIgnored = "drop-in-ignored"
    case dropInsNotWatched = "drop-ins-not-watched"
    case sampleServed = "sample-served"
    case notConfigured = "not-configured"
    case catalogNotStored = "catalog-not-stored"
    case notDurable = "not-durable"
    case cacheDamaged = "cache-damaged"
    case cacheInvalid = "cache-invalid"
    case cacheUnreadable = "cache-unreadable"
    case cacheCleared = "cache-cleared"
    case cacheNotCleared = "cache-not-cleared"
    case iconsStored = "icons-stored"
    case iconsFailed = "icons-failed"
    case iconsForgotten = "icons-forgotten"
    case scheduleNotStored = "schedule-not-stored"
    case scheduleUnreadable = "schedule-unreadable"
    case reviewsNotStored = "reviews-not-stored"
    case reviewsSetAside = "reviews-set-aside"
    case reviewsNotLocked = "reviews-not-locked"
    case peerRefused = "peer-refused"
    case acceptFailed = "accept-failed"
    case logDropped = "log-dropped"

    /// Events that a person would treat alike share an explanation.
    private var entry: (level: Logger.Level, id: String?, variables: [String]) {
        switch self {
        case .unconfined: (.warning, "133be359dd3f4c369ef88c11133186af", [])
        case .refreshFailed: (.warning, "209a259dd2434215b0371dd05a0cdd99", ["error", "next-refresh"])
        case .routesNotWatched, .clockNotWatched, .dropInsNotWatched:
            (.warning, "e07d3c1a85f64b29a1b7f50c9d24e683", [])
        case .configurationBroken: (.error, "7ab3e3d1218a4193953bda829ccc5f82", [])
        case .dropInIgnored: (.warning, "5f0c2b7be1c94d5a8c0d8a3c9f3fb1e4", ["file"])
        case .sampleServed: (.notice, "1694a5b4828a43c5bb34bb42e38330e8", [])
        case .catalogNotStored, .cacheNotCleared, .cacheUnreadable: (.error, "0a48763710e24069897df58068242585", [])
        case .scheduleNotStored, .notDurable, .cacheDamaged, .cacheInvalid, .scheduleUnreadable, .iconsForgotten:
            (.warning, "0a48763710e24069897df58068242585", [])
        case .iconsFailed: (.warning, "c43d9a1f06b14a3c9b0e6a0d7f5a2c18", [])
        case .reviewsNotStored: (.error, "8259e498a94e4f9cbed3685ddb87720b", [])
        case .reviewsSetAside, .reviewsNotLocked: (.warning, "8259e498a94e4f9cbed3685ddb87720b", [])
        case .directoryTightened, .peerRefused: (.notice, "c235261f1cd645998628997b64afa02d", [])
        case .acceptFailed: (.warning, "91f3be0a57d24c6c8e20b4d7a8c5f163", [])
        case .logDropped: (.warning, "f9aa3d242a184a3da6fdd79d059c028f", ["dropped"])
        case .fetchStarted: (.debug, nil, [])
        case .started, .stopped: (.info, "a5694765375d479eb2fd0e04be134da1", [])
        case .refreshUpdated, .refreshUnchanged: (.info, "d1093f11dd5b404bb4bcb62ee82c9e0e", [])
        case .configurationReloaded, .notConfigured, .notNotified, .cacheCleared, .iconsStored: (.info, nil, [])
        }
    }

    /// The event's level.
    package var level: Logger.Level { entry.level }

    /// The 128-bit id, in hexadecimal, of its explanation in the shipped message catalog; nil if it needs none.
    package var messageID: String? { entry.id }

    /// The metadata keys that the explanation names. Every record of the event has them.
    package var variables: [String] { entry.variables }
}

extension Logger {
    /// Logs an event at its level.
    package func log(
        _ event: JournalEvent, _ message: String, _ metadata: Metadata = [:], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        assert(event.variables.allSatisfy { metadata[$0] != nil }, "\(event) lacks a field that its explanation names")
        log(
            level: event.level, "\(message)", metadata: metadata.merging(["event": "\(event.rawValue)"]) { $1 },
            file: file, function: function, line: line)
    }
}

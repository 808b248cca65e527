import PromoWire
import Synchronization

extension PromoClient {
    /// Something that promod reports.
    public enum Event: Equatable, Sendable {
        /// A kind of event, for ``PromoClient/events(_:)``.
        public enum Kind: String, CaseIterable, Sendable {
            case catalog, icons, impression, tap
        }

        /// Events are reported from now on. `missed` is the most that may have been missed since the last one; nil if that is unknown,
        /// because promod was started again, or because other kinds are reported, too. Ask for the list again.
        case connected(missed: Int?)
        /// promod cannot be reached. The sequence goes on by itself when it can.
        case disconnected(PromoError)
        /// A catalog, or its state, has changed: ask for the list again.
        case catalog(name: String)
        /// Pictures of a catalog have come.
        case icons(catalog: String)
        /// An app's row was seen in a host.
        case impression(appID: String, host: String?)
        /// An app's row was tapped in a host.
        case tap(appID: String, host: String?)
    }

    /// Waiting events for which a slow reader has no room are left out, and counted.
    private static let capacity = 1024

    /// The events of all catalogs and hosts from now on, until the task that reads them is cancelled. A lost connection is restored.
    public func events(_ kinds: [Event.Kind] = Event.Kind.allCases) -> AsyncStream<Event> {
        if kinds.isEmpty { return AsyncStream { $0.finish() } }
        let dropped = Mutex(0)
        let wanted = Set(kinds.compactMap { EventKind(rawValue: $0.rawValue) })
        return EventChannel.stream(for: daemon, wanted, .bufferingOldest(Self.capacity)) { report, continuation in
            guard let event = Event(report) else { return }
            dropped.withLock { dropped in
                if dropped > 0, case .enqueued = continuation.yield(.connected(missed: dropped)) { dropped = 0 }
                if case .dropped = continuation.yield(event) { dropped += 1 }
            }
        }
    }
}

extension PromoClient.Event {
    fileprivate init?(_ report: EventChannel.Report) {
        switch report {
        case .subscribed(let missed): self = .connected(missed: missed)
        case .lost(let error, let failures):
            guard failures == 1 else { return nil }
            self = .disconnected(error)
        case .event(let event):
            switch event.kind {
            case .impression: self = .impression(appID: event.app, host: event.host)
            case .tap: self = .tap(appID: event.app, host: event.host)
            case .catalog: self = .catalog(name: event.catalog)
            case .icons: self = .icons(catalog: event.catalog)
            }
        }
    }
}

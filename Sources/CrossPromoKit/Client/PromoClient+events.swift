import PromoWire
import PromoSystem

extension PromoClient {
    /// Something that promod reports.
    public enum Event: Equatable, Sendable {
        /// A kind of event, for ``PromoClient/events(_:)``.
        public enum Kind: String, CaseIterable, Sendable {
            case catalog, icons, impression, tap
        }

        /// Events are reported from now on. `missed` is the most that may have been missed since the last one; nil if that is unknown,
        /// because promod was started again. Ask for the list again.
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

    /// Events as they come. Those for which a slow reader has no room are left out, the oldest first, and their number is the next event.
    public struct Events: AsyncSequence, Sendable {
        /// How many were left out since the reader was told.
        final class Missed: Sendable {
            let count = Guarded(0)
        }

        static let capacity = 1024

        let waiting: AsyncStream<Event>
        let missed: Missed

        /// Iterates over the events, which only one task may do.
        public func makeAsyncIterator() -> Iterator { Iterator(waiting: waiting.makeAsyncIterator(), missed: missed) }

        /// Reads events.
        public struct Iterator: AsyncIteratorProtocol {
            var waiting: AsyncStream<Event>.Iterator
            let missed: Missed

            /// The next event; nil if the task is cancelled.
            public mutating func next() async -> Event? { await next(isolation: nil) }

            /// The next event; nil if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                let count = missed.count.withLock { count in
                    defer { count = 0 }
                    return count
                }
                return count > 0 ? .connected(missed: count) : await waiting.next(isolation: actor)
            }
        }
    }

    /// The events of all catalogs and hosts from now on, until the task that reads them is cancelled. A lost connection is restored.
    public func events(_ kinds: [Event.Kind] = Event.Kind.allCases) -> Events {
        let missed = Events.Missed()
        let wanted = Set(kinds.compactMap { EventKind(rawValue: $0.rawValue) })
        if wanted.isEmpty { return Events(waiting: AsyncStream { $0.finish() }, missed: missed) }
        let waiting = EventChannel.stream(for: daemon, wanted, .bufferingNewest(Events.capacity)) {
            report, continuation in
            guard let event = Event(report) else { return }
            if case .dropped = continuation.yield(event) { missed.count.withLock { $0 += 1 } }
        }
        return Events(waiting: waiting, missed: missed)
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

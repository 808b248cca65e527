import PromoWire

/// Whether a subscriber's connection takes events.
package enum EventReadiness: Equatable, Sendable {
    case ready
    /// The client has not read the events that were sent before.
    case behind
    /// Events wait for the end of a reply, so the client is not to blame for falling behind.
    case held
}

extension Connection {
    /// Whether events are sent at once.
    package var eventReadiness: EventReadiness {
        guard case .serving(let serving) = phase else { return .behind }
        return serving.holdsEvents ? .held : isStalled ? .behind : .ready
    }

    /// Queues whole lines of events. They come before the reply to a batch that is not finished.
    package mutating func send(events: [UInt8]) {
        output.json.append(bytes: events)
    }

    /// The subscriber fell behind, so this line is its last.
    package mutating func disconnect(lagged line: [UInt8]) {
        end(.lagging) { $0.json.append(bytes: line) }
    }
}

import PromoWire

extension LineFramer {
    /// Appends bytes and returns every event that they complete.
    mutating func take(_ chunk: some Sequence<UInt8>) -> [Event] {
        append(Array(chunk).span)
        var events: [Event] = []
        while let event = next() { events.append(event) }
        return events
    }
}

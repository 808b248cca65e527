import PromoWire

extension LineFramer.Event {
    /// The event of a line of text.
    static func line(_ text: String) -> LineFramer.Event {
        .line(Array(text.utf8))
    }
}

extension LineFramer {
    /// Appends bytes.
    mutating func append(_ chunk: some Sequence<UInt8>) {
        let bytes = Array(chunk)
        append(bytes.span)
    }

    /// Appends bytes and returns every event that they complete.
    mutating func take(_ chunk: some Sequence<UInt8>) -> [Event] {
        append(chunk)
        return drain()
    }

    /// Appends text and returns every event that it completes.
    mutating func take(_ text: String) -> [Event] {
        take(text.utf8)
    }

    /// Takes events until there is none.
    mutating func drain() -> [Event] {
        var events: [Event] = []
        while let event = next() { events.append(event) }
        return events
    }

    /// The events of a whole stream that arrives in the given pieces.
    static func events(of chunks: [some Sequence<UInt8>], maximumLength: Int) -> [Event] {
        var framer = LineFramer(maximumLength: maximumLength)
        var events = chunks.flatMap { framer.take($0) }
        if let last = framer.finish() { events.append(last) }
        return events
    }
}

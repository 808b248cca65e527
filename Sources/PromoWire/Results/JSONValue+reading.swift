/// The error for a result in which a member is missing or not of the type that the protocol gives it.
package struct MalformedResult: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the first such member.
    package let member: String

    /// Creates an error that names the first such member.
    package init(member: String) {
        self.member = member
    }

    package var description: String { "\"\(member)\" is missing or not valid" }
}

/// Reads the members of a result. Unknown members are ignored, and an absent member counts as null.
extension JSONValue {
    /// A member that holds a string.
    package func string(_ name: String) throws(MalformedResult) -> String {
        try text(name).text
    }

    /// A member that holds a text from a catalog.
    package func text(_ name: String) throws(MalformedResult) -> OutsideText {
        guard let text = self[name]?.outsideText else { throw MalformedResult(member: name) }
        return text
    }

    /// A member that holds a string or null.
    package func optionalString(_ name: String) throws(MalformedResult) -> String? {
        try present(name) == nil ? nil : string(name)
    }

    /// A member that holds an integer.
    package func integer(_ name: String) throws(MalformedResult) -> Int {
        guard let integer = self[name]?.integer else { throw MalformedResult(member: name) }
        return integer
    }

    /// A member that holds an integer or null.
    package func optionalInteger(_ name: String) throws(MalformedResult) -> Int? {
        try present(name) == nil ? nil : integer(name)
    }

    /// A member that holds a boolean.
    package func boolean(_ name: String) throws(MalformedResult) -> Bool {
        guard let boolean = self[name]?.boolean else { throw MalformedResult(member: name) }
        return boolean
    }

    /// A member that holds a boolean or null.
    package func optionalBoolean(_ name: String) throws(MalformedResult) -> Bool? {
        try present(name) == nil ? nil : boolean(name)
    }

    /// A member that holds a time.
    package func time(_ name: String) throws(MalformedResult) -> Timestamp {
        guard let time = try optionalTime(name) else { throw MalformedResult(member: name) }
        return time
    }

    /// A member that holds a time or null.
    package func optionalTime(_ name: String) throws(MalformedResult) -> Timestamp? {
        guard let value = present(name) else { return nil }
        guard let time = value.time else { throw MalformedResult(member: name) }
        return time
    }

    /// A member that holds one of the given words.
    package func word<Word: RawRepresentable<String>>(_ name: String) throws(MalformedResult) -> Word {
        guard let word: Word = self[name]?.word() else { throw MalformedResult(member: name) }
        return word
    }

    /// A member that holds one of the given words or null.
    package func optionalWord<Word: RawRepresentable<String>>(_ name: String) throws(MalformedResult) -> Word? {
        try present(name) == nil ? nil : word(name)
    }

    /// A member that holds an array of the given words.
    package func words<Word: RawRepresentable<String>>(_ name: String) throws(MalformedResult) -> [Word] {
        guard let array = self[name], array.kind == .array else { throw MalformedResult(member: name) }
        var words: [Word] = []
        for element in array.elements {
            guard let word: Word = element.word() else { throw MalformedResult(member: name) }
            words.append(word)
        }
        return words
    }

    /// A member that holds an array, each element of which the closure reads.
    package func elements<Element>(
        _ name: String, _ read: (JSONValue) throws(MalformedResult) -> Element
    ) throws(MalformedResult) -> [Element] {
        guard let array = self[name], array.kind == .array else { throw MalformedResult(member: name) }
        var elements: [Element] = []
        for element in array.elements { elements.append(try read(element)) }
        return elements
    }

    /// A member that holds an object.
    package func object(_ name: String) throws(MalformedResult) -> JSONValue {
        guard let object = self[name], object.kind == .object else { throw MalformedResult(member: name) }
        return object
    }

    /// A member that holds a failure or null.
    package func failure(_ name: String) throws(MalformedResult) -> Failure? {
        guard present(name) != nil else { return nil }
        let value = try object(name)
        return Failure(try value.word("code"), try value.string("message"))
    }

    private func present(_ name: String) -> JSONValue? {
        self[name].flatMap { $0.kind == .null ? nil : $0 }
    }
}

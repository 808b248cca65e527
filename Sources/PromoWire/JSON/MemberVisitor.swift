/// Visits the members of an object of the protocol in their order, in order to write, read or describe them.
package struct MemberVisitor {
    private enum Purpose { case write, read(JSONValue), describe }

    private let purpose: Purpose
    private var writer = JSONWriter()
    /// The first member that could not be read.
    private var error: MalformedResult?
    private var properties: [ValueSchema.Property] = []

    /// A member that is always present.
    /// - Parameters:
    ///   - isRequired: whether its schema says so; the daemon leaves it out of some objects.
    ///   - isLenient: whether any other value counts as absent: the daemon may be newer, and have words of its own.
    mutating func callAsFunction<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ meaning: String, isRequired: Bool = true, isLenient: Bool = false
    ) {
        switch purpose {
        case .write: writer.member(name, value)
        case .read(let json): if let read: Value = read(name, of: json, isLenient) { value = read }
        case .describe: properties.append(.init(name, Value.schema, meaning, isRequired: isRequired))
        }
    }

    /// A member that is left out if it has no value.
    mutating func ifPresent<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value?, _ meaning: String, isLenient: Bool = false
    ) {
        switch purpose {
        case .write: if let value { writer.member(name, value) }
        case .read(let json): if let read: Value? = read(name, of: json, isLenient) { value = read }
        case .describe: properties.append(.init(name, Value.schema, meaning, isRequired: false))
        }
    }

    /// A member that follows from others, so that it is not read.
    mutating func derived<Value: JSONRepresentable>(_ name: String, _ value: Value, _ meaning: String) {
        switch purpose {
        case .write: writer.member(name, value)
        case .read: break
        case .describe: properties.append(.init(name, Value.schema, meaning))
        }
    }

    /// A member that is an object, whose values are in the same value as those around it.
    mutating func object(
        _ name: String, _ title: String, _ meaning: String, _ visit: (inout MemberVisitor) -> Void
    ) {
        switch purpose {
        case .write: writer.object(name) { MemberVisitor.writeMembers(to: &$0, visit) }
        case .read(let json):
            attempt { () throws(MalformedResult) in
                guard let object = json[name], object.kind == .object else { throw MalformedResult(member: name) }
                try MemberVisitor.read(object, visit)
            }
        case .describe: properties.append(.init(name, MemberVisitor.schema(visit).named(title), meaning))
        }
    }

    /// Members with their own way to be written and read.
    mutating func special(
        _ properties: @autoclosure () -> [ValueSchema.Property], write: (inout JSONWriter) -> Void,
        read: (JSONValue) throws(MalformedResult) -> Void
    ) {
        switch purpose {
        case .write: write(&writer)
        case .read(let json): attempt { () throws(MalformedResult) in try read(json) }
        case .describe: self.properties += properties()
        }
    }

    private mutating func read<Value: JSONRepresentable>(
        _ name: String, of json: JSONValue, _ isLenient: Bool
    ) -> Value? {
        var value: Value?
        attempt { () throws(MalformedResult) in
            value = try Value.read(json[name])
            if value == nil, !isLenient { throw MalformedResult(member: name) }
        }
        return value
    }

    /// Reads, unless something before could not be read.
    private mutating func attempt(_ read: () throws(MalformedResult) -> Void) {
        guard error == nil else { return }
        do { try read() } catch { self.error = error }
    }

    // MARK: Objects

    /// Writes the members of an object.
    static func writeMembers(to writer: inout JSONWriter, _ visit: (inout MemberVisitor) -> Void) {
        var visitor = MemberVisitor(.write)
        // Moved, because a copy would be one of all that was written.
        swap(&visitor.writer, &writer)
        visit(&visitor)
        swap(&visitor.writer, &writer)
    }

    /// Reads the members of an object. Unknown ones are ignored, and an absent member counts as null.
    static func read(_ json: JSONValue, _ visit: (inout MemberVisitor) -> Void) throws(MalformedResult) {
        var visitor = MemberVisitor(.read(json))
        visit(&visitor)
        if let error = visitor.error { throw error }
    }

    /// The schema of an object.
    static func schema(_ visit: (inout MemberVisitor) -> Void) -> ValueSchema {
        var visitor = MemberVisitor(.describe)
        visit(&visitor)
        return .object(visitor.properties)
    }

    private init(_ purpose: Purpose) { self.purpose = purpose }
}

// Other forms in which values are written.

extension Timestamp? {
    /// In whole seconds, never before the time.
    var roundedUp: Timestamp? {
        get { self?.roundedUpToSecond }
        set { self = newValue }
    }
}

extension Duration? {
    var inSeconds: Int? {
        get { map { Int($0.components.seconds) } }
        set { self = newValue.flatMap { $0.magnitude < 1 << 40 ? .seconds($0) : nil } }
    }

    var inMilliseconds: Int? {
        get { map { Int($0.milliseconds) } }
        set { self = newValue.map { .milliseconds($0) } }
    }
}

extension Int {
    /// nil in place of 0.
    var ifPositive: Int? {
        get { self > 0 ? self : nil }
        set { self = newValue ?? 0 }
    }
}

extension Array {
    /// nil in place of an empty array.
    var ifNotEmpty: [Element]? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? [] }
    }
}

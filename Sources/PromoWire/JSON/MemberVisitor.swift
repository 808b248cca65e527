/// Visits the members of a result, or the parameters of a method, in their order, in order to write, read or describe them.
package struct MemberVisitor {
    private enum Purpose { case write, read(JSONValue), describe }

    private let purpose: Purpose
    private var writer = JSONWriter()
    /// The first member that is missing or not valid.
    private(set) var error: MalformedResult?
    /// The first required parameter for which a call has no argument.
    private(set) var missing: String?
    /// How many arguments of a call no parameter has taken.
    private(set) var untaken = 0
    private var properties: [ValueSchema.Property] = []

    /// A member that every promod with this protocol sends. One that is added to the protocol is ``ifPresent(_:_:_:isLenient:)``.
    /// - Parameter meaning: what it means; empty in a file or a message of promod's own, which nobody describes.
    package mutating func callAsFunction<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ meaning: String = ""
    ) {
        visit(name, &value, Value.schema, meaning, true)
    }

    /// A member that is left out if it has no value.
    /// - Parameter isLenient: whether any other value counts as absent, because the daemon may be newer.
    mutating func ifPresent<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value?, _ meaning: String, isLenient: Bool = false
    ) {
        if case .write = purpose, value == nil { return }
        visit(name, &value, Value.schema, meaning, false, isLenient)
    }

    /// A member that follows from others, so that it is not read.
    mutating func derived<Value: JSONRepresentable>(_ name: String, _ value: Value, _ meaning: String) {
        if case .read = purpose { return }
        var value = value
        self(name, &value, meaning)
    }

    private mutating func visit<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ schema: @autoclosure () -> ValueSchema, _ meaning: String,
        _ isRequired: Bool, _ isLenient: Bool = false
    ) {
        switch purpose {
        case .write: writer.member(name, value)
        case .read(let json):
            attempt { () throws(MalformedResult) in
                if let read = try Value.read(json[name]) {
                    value = read
                } else if !isLenient {
                    throw MalformedResult(member: name)
                }
            }
        case .describe: properties.append(.init(name, schema(), meaning, isRequired: isRequired))
        }
    }

    /// A parameter, whose value stays as it is if a call has no argument for it.
    /// - Parameter read: the value of an argument; nil if it has another type or is out of range.
    mutating func parameter<Value: JSONWritable>(
        _ name: String, _ value: inout Value?, _ schema: @autoclosure () -> ValueSchema, _ meaning: String,
        isRequired: Bool = false, read: (JSONValue) -> Value?
    ) {
        switch purpose {
        case .write: if let value { writer.member(name, value) }
        case .read(let json):
            guard isRequired || untaken > 0 else { return }
            guard let argument = json[name] else {
                if isRequired { missing = missing ?? name }
                return
            }
            untaken -= 1
            if let read = read(argument) { value = read } else { error = error ?? MalformedResult(member: name) }
        case .describe: properties.append(.init(name, schema(), meaning, isRequired: isRequired))
        }
    }

    /// Reads, unless something before could not be read.
    private mutating func attempt(_ read: () throws(MalformedResult) -> Void) {
        guard error == nil else { return }
        do { try read() } catch { self.error = error }
    }

    // MARK: Objects

    /// Writes the members of an object.
    package static func writeMembers(to writer: inout JSONWriter, _ visit: (inout MemberVisitor) -> Void) {
        var visitor = MemberVisitor(.write)
        // Moved, because a copy would copy everything written so far.
        swap(&visitor.writer, &writer)
        visit(&visitor)
        swap(&visitor.writer, &writer)
    }

    /// Reads the members of an object. Unknown ones are ignored, and an absent member counts as null.
    package static func read(_ json: JSONValue, _ visit: (inout MemberVisitor) -> Void) throws(MalformedResult) {
        var visitor = MemberVisitor(.read(json))
        visit(&visitor)
        if let error = visitor.error { throw error }
    }

    /// Reads the arguments of a call.
    init(reading arguments: CallArguments) {
        self.init(.read(arguments.object))
        untaken = arguments.count
    }

    /// The descriptions of the members.
    static func properties(_ visit: (inout MemberVisitor) -> Void) -> [ValueSchema.Property] {
        var visitor = MemberVisitor(.describe)
        visit(&visitor)
        return visitor.properties
    }

    private init(_ purpose: Purpose) { self.purpose = purpose }
}

// Other forms in which values are written.

extension JSONWritable {
    /// The value as one that is never absent.
    var always: Self? {
        get { self }
        set { self = newValue ?? self }
    }
}

extension Timestamp? {
    /// In whole seconds, never before the time.
    var roundedUp: Timestamp? {
        get { self?.roundedUpToSecond }
        set { self = newValue }
    }
}

extension Equatable {
    /// nil in place of a value.
    subscript(unless absent: Self) -> Self? {
        get { self == absent ? nil : self }
        set { self = newValue ?? absent }
    }
}

/// Visits the members of a result, or the parameters of a method, in their order, in order to write, read or describe them.
package struct MemberVisitor {
    private enum Purpose { case write, read(JSONValue, allowsAbsent: Bool = false), describe }

    private let purpose: Purpose
    private var writer = JSONWriter()
    /// The first member that is missing or not valid.
    private(set) var error: MalformedResult?
    private var isFirst = true
    /// The first required parameter for which a call has no argument.
    private(set) var missing: String?
    /// How many arguments of a call no parameter has taken.
    private(set) var untaken = 0
    private var properties: [ValueSchema.Property] = []

    /// A member that this promod always sends.
    /// - Parameter meaning: what it means; empty in a file or a message of promod's own, which nobody describes.
    package mutating func callAsFunction<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ meaning: String = ""
    ) {
        visit(name, &value, Value.schema, meaning, true)
    }

    /// A member that is left out if it has no value.
    package mutating func ifPresent<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value?, _ meaning: String = ""
    ) {
        if case .write = purpose, value == nil { return }
        visit(name, &value, Value.schema, meaning, false)
    }

    /// A member that follows from others, so that it is not read.
    mutating func derived<Value: JSONRepresentable>(_ name: String, _ value: Value, _ meaning: String) {
        if case .read = purpose { return }
        var value = value
        self(name, &value, meaning)
    }

    private mutating func visit<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ schema: @autoclosure () -> ValueSchema, _ meaning: String,
        _ isRequired: Bool
    ) {
        switch purpose {
        case .write: writer.member(name, value)
        case .read(let json, let allowsAbsent):
            let member = json[name]
            guard error == nil, member != nil || !allowsAbsent || isFirst else { return }
            isFirst = false
            do {
                if let read = try Value.read(member) { value = read } else { error = MalformedResult(member: name) }
            } catch {
                self.error = error
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
        case .read(let json, _):
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

    // MARK: Objects

    /// Writes the members of an object.
    package static func writeMembers(to writer: inout JSONWriter, _ visit: (inout MemberVisitor) -> Void) {
        var visitor = MemberVisitor(.write)
        // Moved, because a copy would copy everything written so far.
        swap(&visitor.writer, &writer)
        visit(&visitor)
        swap(&visitor.writer, &writer)
    }

    /// Reads the members of an object. Unknown ones are ignored.
    /// - Parameter allowsAbsent: whether absent members stay as they are, because the writer may be older, except the first, by which the
    ///   object is known; else an absent member counts as null.
    package static func read(
        _ json: JSONValue, allowsAbsent: Bool = false, _ visit: (inout MemberVisitor) -> Void
    ) throws(MalformedResult) {
        var visitor = MemberVisitor(.read(json, allowsAbsent: allowsAbsent))
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

extension Optional where Wrapped: Word {
    /// As a word that may be new; one that this version does not know counts as none.
    package var growing: Growing<Wrapped>? {
        get { map(Growing.init) }
        set { self = newValue?.known }
    }
}

extension Array where Element: Word {
    /// As words that may be new; those that this version does not know are dropped.
    var growing: [Growing<Element>] {
        get { map(Growing.init) }
        set { self = newValue.compactMap(\.known) }
    }
}

extension Timestamp? {
    /// In whole seconds, never before the time.
    package var roundedUp: Timestamp? {
        get { self?.roundedUpToSecond }
        set { self = newValue }
    }
}

extension Equatable {
    /// nil in place of a value.
    package subscript(unless absent: Self) -> Self? {
        get { self == absent ? nil : self }
        set { self = newValue ?? absent }
    }
}

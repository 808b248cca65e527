/// Visits the members of an object of the protocol in their order, in order to write, read or describe them.
package struct MemberVisitor {
    private enum Task { case write, read, describe }

    private let task: Task
    private var writer = JSONWriter()
    /// The object that is read.
    private var json: JSONValue?
    /// The first member that could not be read.
    private var error: MalformedResult?
    private var properties: [ValueSchema.Property] = []

    /// A member that is always there.
    /// - Parameters:
    ///   - isRequired: whether its schema says so; the daemon leaves it out of some objects.
    ///   - isLenient: whether any other value counts as absent: the daemon may be newer, and have words of its own.
    mutating func callAsFunction<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value, _ meaning: String, isRequired: Bool = true, isLenient: Bool = false
    ) {
        switch task {
        case .write: writer.member(name, value)
        case .read: if let read: Value = read(name, isLenient) { value = read }
        case .describe: describe(name, Value.schema, meaning, isRequired)
        }
    }

    /// A member that is left out if it has no value.
    mutating func ifPresent<Value: JSONRepresentable>(
        _ name: String, _ value: inout Value?, _ meaning: String, isLenient: Bool = false
    ) {
        switch task {
        case .write: if let value { writer.member(name, value) }
        case .read: if let read: Value? = read(name, isLenient) { value = read }
        case .describe: describe(name, Value.schema, meaning, false)
        }
    }

    /// A member that follows from others, so that it is not read.
    mutating func derived<Value: JSONRepresentable>(_ name: String, _ value: Value, _ meaning: String) {
        switch task {
        case .write: writer.member(name, value)
        case .read: break
        case .describe: describe(name, Value.schema, meaning, true)
        }
    }

    /// An object whose members are in the same value as those around it.
    mutating func object(
        _ name: String, _ title: String, _ meaning: String, isLenient: Bool = false,
        _ visit: (inout MemberVisitor) -> Void
    ) {
        switch task {
        case .write:
            writer.object(name) { MemberVisitor.writeMembers(to: &$0, visit) }
        case .read:
            guard error == nil else { return }
            guard let object = json?[name], object.kind == .object else {
                if !isLenient { error = MalformedResult(member: name) }
                return
            }
            do { try MemberVisitor.read(object, visit) } catch { self.error = error }
        case .describe: describe(name, MemberVisitor.schema(visit).named(title), meaning, true)
        }
    }

    /// Members that are written and read as no others.
    mutating func special(
        _ properties: @autoclosure () -> [ValueSchema.Property], write: (inout JSONWriter) -> Void,
        read: (JSONValue) throws(MalformedResult) -> Void
    ) {
        switch task {
        case .write: write(&writer)
        case .read:
            guard error == nil, let json else { return }
            do { try read(json) } catch { self.error = error }
        case .describe: self.properties += properties()
        }
    }

    private mutating func describe(
        _ name: String, _ schema: ValueSchema, _ meaning: String, _ isRequired: Bool
    ) {
        properties.append(.init(name, schema, meaning, isRequired: isRequired))
    }

    private mutating func read<Value: JSONRepresentable>(_ name: String, _ isLenient: Bool) -> Value? {
        guard error == nil, let json else { return nil }
        do {
            if let value = try Value.read(json[name]) { return value }
            if !isLenient { error = MalformedResult(member: name) }
        } catch { self.error = error }
        return nil
    }

    // MARK: Objects

    /// Writes the members of an object.
    static func writeMembers(to writer: inout JSONWriter, _ visit: (inout MemberVisitor) -> Void) {
        var visitor = MemberVisitor(task: .write)
        // Moved, because a copy would be one of all that was written.
        swap(&visitor.writer, &writer)
        visit(&visitor)
        swap(&visitor.writer, &writer)
    }

    /// Reads the members of an object. Unknown ones are ignored, and an absent member counts as null.
    static func read(_ json: JSONValue, _ visit: (inout MemberVisitor) -> Void) throws(MalformedResult) {
        var visitor = MemberVisitor(task: .read)
        visitor.json = json
        visit(&visitor)
        if let error = visitor.error { throw error }
    }

    /// The schema of an object.
    static func schema(_ visit: (inout MemberVisitor) -> Void) -> ValueSchema {
        var visitor = MemberVisitor(task: .describe)
        visit(&visitor)
        return .object(visitor.properties)
    }

    private init(task: Task) {
        self.task = task
    }
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
    /// Nothing in the place of 0.
    var ifPositive: Int? {
        get { self > 0 ? self : nil }
        set { self = newValue ?? 0 }
    }
}

extension Array {
    /// Nothing in the place of an empty array.
    var ifNotEmpty: [Element]? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? [] }
    }
}

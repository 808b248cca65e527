/// The path to a value in another.
typealias Path<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// A member of an object of the protocol, with how it is written, read and described.
package struct Member<Root>: Sendable {
    /// The properties of the object's schema: one, or several for a part.
    let schemas: @Sendable () -> [ValueSchema.Property]
    let write: @Sendable (Root, inout JSONWriter) -> Void
    let read: @Sendable (JSONValue, inout Root) throws(MalformedResult) -> Void

    /// Creates a member with its own way to be written and read.
    init(
        schemas: @escaping @Sendable () -> [ValueSchema.Property],
        write: @escaping @Sendable (Root, inout JSONWriter) -> Void,
        read: @escaping @Sendable (JSONValue, inout Root) throws(MalformedResult) -> Void = { _, _ in }
    ) {
        (self.schemas, self.write, self.read) = (schemas, write, read)
    }

    /// Creates a member that is always present.
    /// - Parameter isLenient: whether an absent value, or one of another type, leaves the value of a new object, because an earlier promod
    ///   does not have the member.
    init<Value: JSONRepresentable>(
        _ name: String, _ path: Path<Root, Value>, _ meaning: String, isLenient: Bool = false
    ) {
        self.init(name, path, as: Conversion(write: { $0 }, read: { $0 }), meaning, isLenient: isLenient)
    }

    /// Creates a member that is always present, in another form.
    @_semantics("optimize.sil.specialize.generic.never")
    init<Value, Written: JSONRepresentable>(
        _ name: String, _ path: Path<Root, Value>, as form: Conversion<Value, Written>,
        _ meaning: String, isLenient: Bool = false
    ) {
        self.init(
            schemas: { [ValueSchema.Property(name, Written.schema, meaning)] },
            write: { root, writer in writer.member(name, form.write(root[keyPath: path])) },
            read: { json, root throws(MalformedResult) in
                if isLenient {
                    if let value = try Written.read(json[name]) { root[keyPath: path] = form.read(value) }
                } else {
                    root[keyPath: path] = form.read(try json.read(name))
                }
            })
    }

    /// A member that always has the same value.
    static func always<Value: JSONRepresentable>(_ name: String, _ value: Value, _ meaning: String) -> Member {
        Member(schemas: { [ValueSchema.Property(name, Value.schema, meaning)] }, write: { $1.member(name, value) })
    }

    /// A member that is left out if it has no value.
    static func ifPresent<Value: JSONRepresentable>(
        _ name: String, _ path: Path<Root, Value?>, _ meaning: String, isLenient: Bool = false
    ) -> Member {
        ifPresent(name, path, as: Conversion(write: { $0 }, read: { $0 }), meaning, isLenient: isLenient)
    }

    /// A member that is left out if it has no value, in another form.
    @_semantics("optimize.sil.specialize.generic.never")
    static func ifPresent<Value, Written: JSONRepresentable>(
        _ name: String, _ path: Path<Root, Value>, as form: Conversion<Value, Written?>,
        _ meaning: String, isLenient: Bool = false
    ) -> Member {
        let member = Member(name, path, as: form, meaning, isLenient: isLenient)
        return Member(
            schemas: { [ValueSchema.Property(name, Written.schema, meaning, isRequired: false)] },
            write: { root, writer in
                if let value = form.write(root[keyPath: path]) { writer.member(name, value) }
            }, read: member.read)
    }

    /// A member that is an object, whose values are in the same value as those around it.
    static func object(
        _ name: String, _ title: String, _ members: [Member], _ meaning: String, isLenient: Bool = false
    ) -> Member {
        Member(
            schemas: { [ValueSchema.Property(name, ValueSchema(members).named(title), meaning)] },
            write: { root, writer in
                writer.object(name) { writer in
                    for member in members { member.write(root, &writer) }
                }
            },
            read: { json, root throws(MalformedResult) in
                guard let object = json[name], object.kind == .object else {
                    if isLenient { return }
                    throw MalformedResult(member: name)
                }
                for member in members { try member.read(object, &root) }
            })
    }
}

/// Another form in which a value is written.
struct Conversion<Value, Written>: Sendable {
    let write: @Sendable (Value) -> Written
    let read: @Sendable (Written) -> Value
}

extension Conversion<Timestamp?, Timestamp?> {
    /// In whole seconds, never before the time.
    static var roundedUp: Conversion { Conversion(write: { $0?.roundedUpToSecond }, read: { $0 }) }
}

extension Conversion<Duration?, Int?> {
    static var seconds: Conversion {
        Conversion(
            write: { $0.map { Int($0.components.seconds) } },
            read: { $0.flatMap { $0.magnitude < 1 << 40 ? .seconds($0) : nil } })
    }

    static var milliseconds: Conversion {
        Conversion(write: { $0.map { Int($0.milliseconds) } }, read: { $0.map { .milliseconds($0) } })
    }
}

extension Conversion<Int, Int?> {
    /// 0 is left out.
    static var positive: Conversion { Conversion(write: { $0 > 0 ? $0 : nil }, read: { $0 ?? 0 }) }
}

extension Array {
    /// The members of a part, as members of the whole.
    @_semantics("optimize.sil.specialize.generic.never")
    func of<Part, Root>(_ path: Path<Root, Part>) -> [Member<Root>] where Element == Member<Part> {
        map { member in
            Member<Root>(
                schemas: member.schemas,
                write: { root, writer in member.write(root[keyPath: path], &writer) },
                read: { json, root throws(MalformedResult) in try member.read(json, &root[keyPath: path]) })
        }
    }
}

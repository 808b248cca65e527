import PromoTestSupport
import PromoWire

extension Request {
    /// A random request.
    static func random(using generator: inout SeededGenerator) -> Request {
        let method: Method =
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: .list(.random(using: &generator))
            case 1:
                .tap(
                    TapParameters(
                        app: generator.appID(), host: generator.maybe(generator.appID()),
                        language: generator.maybe(generator.one())))
            case 2:
                .impression(
                    ImpressionParameters(
                        apps: (0..<Int.random(in: 1...100, using: &generator)).map { _ in generator.appID() },
                        host: generator.maybe(generator.appID())))
            case 3: .command(.launch(app: generator.appID()))
            case 4: .command(.reviewEligible(ReviewParameters(app: generator.appID(), completed: generator.count())))
            case 5: .command(.reviewRequest(ReviewParameters(app: generator.appID(), completed: generator.count())))
            case 6: .command(.refresh(RefreshParameters(wait: .random(using: &generator))))
            case 7: .subscribe(.random(using: &generator))
            case 8: .command(.clear())
            case 9: .status
            case 10: .command(.reload)
            default: .discover
            }
        let hasCatalog = method.description.parameters.contains { $0.name == "catalog" }
        return Request(method, of: hasCatalog ? generator.maybe(generator.catalog()) : nil)
    }
}

extension SeededGenerator {
    fileprivate mutating func appID() -> String {
        let characters = Array("abcxyz059-")
        return String(
            (0..<Int.random(in: 1...20, using: &self)).map { _ in characters.randomElement(using: &self) ?? "a" })
    }

    fileprivate mutating func catalog() -> CatalogReference {
        Bool.random(using: &self)
            ? .name(appID()) : .address("https://example.com:\(Int.random(in: 1...442, using: &self))/\(appID())")
    }
}

extension ListParameters {
    fileprivate static func random(using generator: inout SeededGenerator) -> ListParameters {
        let language: TaglineLanguage = Bool.random(using: &generator) ? .all : .one(generator.one())
        return ListParameters(
            host: generator.maybe(generator.appID()), language: generator.maybe(language),
            limit: generator.maybe(Int.random(in: 1 ... .max, using: &generator)), wait: .random(using: &generator))
    }
}

extension SubscribeParameters {
    fileprivate static func random(using generator: inout SeededGenerator) -> SubscribeParameters {
        let events = (0..<Int.random(in: 1...5, using: &generator)).map { _ in generator.one(of: EventKind.self) }
        return SubscribeParameters(
            events: generator.maybe(events), host: generator.maybe(generator.appID()),
            since: generator.maybe(generator.count()), epoch: generator.maybe(generator.appID()))
    }
}

extension SeededGenerator {
    /// The value or nil, each half of the time.
    fileprivate mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &self) ? value : nil }

    /// A random count, zero or more.
    fileprivate mutating func count() -> Int { .random(in: 0 ... .max, using: &self) }

    /// A random case of a type.
    fileprivate mutating func one<Value: CaseIterable>(of type: Value.Type = Value.self) -> Value {
        let all = Array(Value.allCases)
        return all[Int.random(in: 0..<all.count, using: &self)]
    }
}

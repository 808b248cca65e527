import PromoTestSupport
import PromoWire

extension Request {
    /// A random request.
    static func random(using generator: inout SeededGenerator) -> Request {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: .list(.random(using: &generator))
        case 1:
            .tap(
                TapParameters(
                    app: generator.appID(), host: generator.maybe(generator.appID()),
                    language: generator.maybe(generator.one()), catalog: generator.maybe(generator.catalog())))
        case 2:
            .impression(
                ImpressionParameters(
                    apps: (0..<Int.random(in: 1...100, using: &generator)).map { _ in generator.appID() },
                    host: generator.maybe(generator.appID()), catalog: generator.maybe(generator.catalog())))
        case 3:
            .launch(AppParameters(app: generator.appID(), catalog: generator.maybe(generator.catalog())))
        case 4: .reviewEligible(ReviewParameters(app: generator.appID(), completed: generator.count()))
        case 5:
            .reviewRequest(
                ReviewParameters(
                    app: generator.appID(), completed: generator.count(),
                    catalog: generator.maybe(generator.catalog())))
        case 6:
            .refresh(
                RefreshParameters(
                    wait: .random(using: &generator), catalog: generator.maybe(generator.catalog())))
        case 7: .subscribe(.random(using: &generator))
        case 8: .clear(ClearParameters(catalog: generator.maybe(generator.catalog())))
        case 9: .status
        case 10: .reload
        case 11: .diagnose(DiagnoseParameters(caFile: generator.maybe(OutsideText("/" + generator.text()))))
        default: .discover
        }
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
            limit: generator.maybe(Int.random(in: 1 ... .max, using: &generator)), wait: .random(using: &generator),
            catalog: generator.maybe(generator.catalog()))
    }
}

extension SubscribeParameters {
    fileprivate static func random(using generator: inout SeededGenerator) -> SubscribeParameters {
        let events = (0..<Int.random(in: 1...5, using: &generator)).map { _ in generator.one(of: EventKind.self) }
        return SubscribeParameters(
            events: generator.maybe(events), host: generator.maybe(generator.appID()),
            since: generator.maybe(generator.count()), epoch: generator.maybe(generator.appID()),
            catalog: generator.maybe(generator.catalog()))
    }
}

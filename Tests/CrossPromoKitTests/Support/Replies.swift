import Foundation
import PromoTestSupport

/// Results and events of promod, as JSON.
enum Replies {
    /// When the catalogs of these tests were fetched.
    static let fetchedAt = "2026-11-21T01:09:00Z"

    static func app(_ id: String) -> String {
        """
        {"id":"\(id)","name":"\(id.uppercased())","appStoreID":"1","iconURL":"https://a.example/\(id)",\
        "category":"Tools","tagline":{"en":"About \(id)","ko":"\(id) 소개","ja":null},\
        "storeURL":"https://apps.apple.com/app/id-\(id)",\
        "placeholder":{"initials":"\(id.prefix(2).capitalized)","color":"#005f87"}}
        """
    }

    static func list(
        _ ids: [String], state: String = "fresh", source: String = "origin", canRetry: Bool = false,
        hostKnown: Bool = true, expiresAt: String = fetchedAt, emptyBecause: String? = nil, error code: String? = nil
    ) -> String {
        let isServed = state == "fresh" || state == "expired"
        let fetched = isServed && source == "origin" ? "\"\(fetchedAt)\"" : "null"
        return """
            {"state":"\(state)","source":"\(source)","generation":\(isServed ? "\"0123456789abcdef\"" : "null"),\
            "fetchedAt":\(fetched),"expiresAt":\(fetched == "null" ? "null" : "\"\(expiresAt)\""),"canRetry":\(canRetry),\
            "retryAt":null,"hostKnown":\(hostKnown),"language":null,\
            \(emptyBecause.map { "\"emptyBecause\":\"\($0)\"," } ?? "")\
            \(code.map { "\"error\":{\"code\":\"\($0)\",\"message\":\"No: \($0).\"}," } ?? "")"apps":[\(ids.map(app).joined(separator: ","))]}
            """
    }

    static func refresh(
        _ outcome: String, error: String? = nil, retryAt: String? = nil, code: String = "tls"
    ) -> String {
        let failure = error.map { "{\"code\":\"\(code)\",\"message\":\"\($0)\"}" } ?? "null"
        return
            "{\"outcome\":\"\(outcome)\",\"generation\":null,\"error\":\(failure),\"retryAt\":\(retryAt.map { "\"\($0)\"" } ?? "null")}"
    }

    static func tap(
        _ app: String, storeURL: String = "https://apps.apple.com/app/id7", message: String? = nil
    ) -> String {
        """
        {"app":"\(app)","appStoreID":"7","presentation":"\(message == nil ? "store" : "offline")",\
        \(message.map { "\"message\":\"\($0)\"," } ?? "")"storeURL":"\(storeURL)"}
        """
    }

    static func subscribed(epoch: String = "one", since: Int = 0) -> String {
        "{\"subscribed\":[\"catalog\"],\"epoch\":\"\(epoch)\",\"since\":\(since)}"
    }

    static func event(_ seq: Int, _ rest: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{\"seq\":\(seq),\"at\":\"\(fetchedAt)\",\(rest)}}"
    }

    static func catalogEvent(_ seq: Int, state: String = "fresh") -> String {
        event(seq, "\"event\":\"catalog\",\"state\":\"\(state)\",\"generation\":null")
    }

    /// Answers every method as a daemon with these apps would.
    static func daemon(_ ids: [String] = ["bookary", "stedio"]) -> ScriptedDaemon.Script {
        { request in
            switch request.method {
            case "list": .result(list(ids))
            case "subscribe": .result(subscribed())
            case "refresh": .result(refresh("updated"))
            case "tap": .result(tap(request.string("app") ?? ""))
            case "impression": .result("{\"emitted\":\(request.strings("apps")?.count ?? 0)}")
            default: .refusal("unknown-method")
            }
        }
    }

    /// Answers one method by a closure, and the others like ``daemon(_:)``.
    static func daemon(_ method: String, _ answer: @escaping ScriptedDaemon.Script) -> ScriptedDaemon.Script {
        let others = daemon()
        return { $0.method == method ? answer($0) : others($0) }
    }
}

import Foundation

/// A request as a scripted daemon received it.
package struct ScriptedRequest: Sendable {
    /// The line, without its line feed.
    package let line: String

    private var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }

    private var parameters: [String: Any] { object["params"] as? [String: Any] ?? [:] }

    /// The name of the method; empty if there is none.
    package var method: String { object["method"] as? String ?? "" }
    /// The names of the parameters, sorted.
    package var names: [String] { parameters.keys.sorted() }

    /// A parameter that is a string.
    package func string(_ name: String) -> String? { parameters[name] as? String }
    /// A parameter that is an array of strings.
    package func strings(_ name: String) -> [String]? { parameters[name] as? [String] }
    /// A parameter that is an integer.
    package func integer(_ name: String) -> Int? { parameters[name] as? Int }
    /// A parameter that is a boolean.
    package func boolean(_ name: String) -> Bool? { parameters[name] as? Bool }
}

@testable import PromoCore
import PromoTestSupport
import PromoWire

extension PromoApp {
    /// Its row in a language at a position, made from its row of all languages by itself.
    func row(
        in language: TaglineLanguage, at position: Int = 0, iconPath: ((String) -> String?)? = nil
    ) throws -> String {
        var all = JSONWriter()
        ListResult.App(self, at: position).write(to: &all)
        let row = try JSONDocument(all.bytes, maximumDepth: 2).root
        var members = row.members.map { ($0.string ?? "", $1) }
        if case .one(let language) = language {
            members = members.filter { $0.0 != "categories" }.map { name, value in
                let texts = name == "category" ? row["categories"] : name == "tagline" ? value : nil
                return (name, texts?[language.rawValue] ?? texts?["en"] ?? value)
            }
        }
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members {
                writer.name(name)
                writer.value(json: value.text)
            }
            if let iconPath { writer.member("iconPath", iconPath(iconURL)) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

package import PromoWire

/// The list as one web page that needs nothing else: pictures are in it as data, nothing is fetched, and there is no script.
package struct MoreAppsPage: Sendable {
    /// An app on the page.
    package struct App: Sendable {
        /// The app as `list` shows it, with all translations of its tagline.
        package var listed: ListResult.App
        /// Its picture; nil shows a tile with the first letter of its name.
        package var picture: IconResult.Picture?

        /// An app with its picture.
        package init(_ listed: ListResult.App, picture: IconResult.Picture?) {
            self.listed = listed
            self.picture = picture
        }
    }

    private let apps: [App]
    private let language: Language
    private let isSample: Bool

    /// A page in a language.
    /// - Parameter isSample: whether the apps are those of the sample, which the page says.
    package init(_ apps: [App], in language: Language, isSample: Bool = false) {
        self.apps = apps
        self.isSample = isSample
        self.language = language
    }

    /// The page, in UTF-8.
    package var html: [UInt8] {
        var html = HTMLWriter()
        html.markup("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        // The browser fetches nothing, even if a text of the catalog found a way into the markup.
        let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        html.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n")
        html.markup(
            "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
        html.markup("<title>")
        html.text(title)
        html.markup("</title>\n<style>\n\(PageStyle.css)</style>\n</head>\n<body>\n<main>\n<h1>")
        html.text(title)
        html.markup("</h1>\n")
        if isSample {
            html.markup("<p class=\"sample\" role=\"note\">")
            html.text(sample)
            html.markup("</p>\n")
        }
        if apps.isEmpty {
            html.markup("<p>")
            html.text(emptiness)
            html.markup("</p>\n")
        } else {
            // Safari takes the list out of the accessibility tree if it has no markers, unless its role is given.
            html.markup("<ul role=\"list\">\n")
            for app in apps { write(app, to: &html) }
            html.markup("</ul>\n")
        }
        html.markup("</main>\n</body>\n</html>\n")
        return html.bytes
    }

    private func write(_ app: App, to html: inout HTMLWriter) {
        let listed = app.listed
        html.markup("<li><a href=\"")
        html.text(listed.storeURL)
        html.markup("\" rel=\"noopener noreferrer\">")
        if let picture = app.picture {
            // The name follows as text, so the picture needs none.
            html.markup("<img alt=\"\" width=\"64\" height=\"64\" src=\"data:\(picture.mediaType);base64,")
            html.bytes(picture.base64.bytes)
            html.markup("\">")
        } else {
            html.markup("<span class=\"tile tile\(PageStyle.tile(of: listed.id))\" aria-hidden=\"true\">")
            html.text(Self.initial(of: listed.name.text))
            html.markup("</span>")
        }
        // Each text has the direction of its own letters.
        html.markup("<span class=\"words\"><strong dir=\"auto\">")
        html.text(listed.name.text)
        html.markup("</strong> <small dir=\"auto\">")
        html.text(listed.category(in: language).text)
        html.markup("</small> ")
        let translation = listed.tagline[language].flatMap { $0.isEmpty ? nil : $0 }
        html.markup(
            "<span class=\"tagline\" dir=\"auto\"" + (translation == nil && language != .en ? " lang=\"en\">" : ">"))
        html.text((translation ?? listed.tagline[.en])?.text ?? "")
        html.markup("</span></span></a></li>\n")
    }

    private static func initial(of name: String) -> String {
        let letter = name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "·"
        // A letter may have any number of marks.
        return letter.utf8.count <= 32 ? letter : "·"
    }

    private var title: String {
        switch language {
        case .en: "More Apps"
        case .ko: "다른 앱"
        case .ja: "その他のアプリ"
        }
    }

    private var sample: String {
        switch language {
        case .en: "A sample: these apps are made up."
        case .ko: "샘플입니다. 이 앱들은 실제로 존재하지 않습니다."
        case .ja: "これはサンプルです。表示されているアプリは架空のものです。"
        }
    }

    private var emptiness: String {
        switch language {
        case .en: "There are no apps to show."
        case .ko: "보여 줄 앱이 없습니다."
        case .ja: "表示できるアプリがありません。"
        }
    }
}

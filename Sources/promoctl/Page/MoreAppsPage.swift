import CrossPromoKit
package import PromoWire

/// The list as one self-contained web page: it has its pictures as data, fetches nothing, and has no script.
package struct MoreAppsPage: Sendable {
    /// An app on the page.
    package struct App: Sendable {
        /// The app as `list` shows it, with all translations of its tagline.
        package var listed: ListResult.App
        /// Its picture; nil for its placeholder.
        package var picture: Picture?

        /// Creates an app with its picture.
        package init(_ listed: ListResult.App, picture: Picture?) {
            self.listed = listed
            self.picture = picture
        }
    }

    /// A picture in base64.
    package typealias Picture = (mediaType: IconResult.MediaType, base64: [UInt8])

    private let apps: [App]
    private let language: Language
    private let isSample: Bool
    private let isPreview: Bool

    /// Creates a page in a language.
    /// - Parameters:
    ///   - isSample: whether the page says that the apps are those of the sample.
    ///   - isPreview: whether the browser fetches the pictures from their addresses.
    package init(_ apps: [App], in language: Language, isSample: Bool = false, isPreview: Bool = false) {
        (self.apps, self.language) = (apps, language)
        (self.isSample, self.isPreview) = (isSample, isPreview)
    }

    /// The page, in UTF-8.
    package var html: [UInt8] {
        var html = HTMLWriter()
        html.markup("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        // The browser fetches nothing else, even if a text of the catalog found a way into the markup.
        let pictures = isPreview ? "https:" : "data:"
        let policy =
            "default-src 'none'; img-src \(pictures); style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        html.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n")
        html.markup(
            "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
        html.element("<title>", words.title, "</title>\n<style>\n\(PageStyle.css)</style>\n</head>\n")
        html.element("<body>\n<main>\n<h1>", words.title, "</h1>\n")
        if isSample { html.element("<p class=\"sample\" role=\"note\">", words.sample, "</p>\n") }
        if apps.isEmpty {
            html.element("<p>", words.nothing, "</p>\n")
        } else {
            // Safari removes a list without markers from the accessibility tree, unless it has a role.
            html.markup("<ul role=\"list\">\n")
            for app in apps { write(app, to: &html) }
            html.markup("</ul>\n")
        }
        html.markup("</main>\n</body>\n</html>\n")
        return html.bytes
    }

    private func write(_ app: App, to html: inout HTMLWriter) {
        let listed = app.listed
        html.element("<li><a href=\"", listed.storeURL, "\" rel=\"noopener noreferrer\">")
        if let picture = app.picture {
            // The name follows as text, so the picture has an empty alternative.
            html.markup("<img alt=\"\" width=\"64\" height=\"64\" src=\"data:\(picture.mediaType.rawValue);base64,")
            html.bytes(picture.base64)
            html.markup("\">")
        } else if isPreview {
            html.element("<img alt=\"\" width=\"64\" height=\"64\" src=\"", listed.iconURL, "\">")
        } else {
            let (initials, color) = (listed.placeholder.initials.shown(), listed.placeholder.color.rawValue)
            html.element(
                "<span class=\"tile\" style=\"background: \(color)\" aria-hidden=\"true\">", initials, "</span>")
        }
        // Each text is written in the direction of its own letters.
        html.element("<span class=\"words\"><strong dir=\"auto\">", listed.name.text, "</strong> ")
        html.element("<small dir=\"auto\">", listed.category(in: language).text, "</small> ")
        let translation = listed.tagline[language].flatMap { $0.isEmpty ? nil : $0 }
        let foreign = translation == nil && language != .en ? " lang=\"en\"" : ""
        let tagline = (translation ?? listed.tagline[.en])?.text ?? ""
        html.element("<span class=\"tagline\" dir=\"auto\"\(foreign)>", tagline, "</span></span></a></li>\n")
    }

    private var words: Words { Words(in: language) }
}

/// Writes HTML, and escapes text.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes markup of promod's own.
    mutating func markup(_ markup: String) {
        bytes.append(contentsOf: markup.utf8)
    }

    /// Writes text of a catalog, from which promod has taken the controls, into an element or an attribute in double quotes.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    /// Writes text between markup.
    mutating func element(_ start: String, _ text: String, _ end: String) {
        markup(start)
        self.text(text)
        markup(end)
    }

    /// Writes bytes that need no escapes, such as base64.
    mutating func bytes(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }
}

/// The style of the page.
enum PageStyle {
    /// The style sheet, whose colours have a contrast of at least 4.5 to 1 in the light and the dark scheme.
    static let css = """
        :root { color-scheme: light dark; --back: #ffffff; --text: #1b1b1f; --soft: #5a5a64; --line: #d9d9e0; --over: #f2f2f6; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #17171a; --text: #f0f0f4; --soft: #a9a9b4; --line: #3a3a42; --over: #232328; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.45 system-ui, sans-serif; }
        main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
        :lang(ko) { word-break: keep-all; }
        h1 { font-size: 1.4rem; margin: 0.5rem 0.5rem 1rem; }
        .sample { margin: 0 0.5rem 1rem; padding: 0.5rem 0.75rem; border: 2px dashed var(--soft); border-radius: 0.75rem; }
        ul { list-style: none; margin: 0; padding: 0; }
        li + li { border-top: 1px solid var(--line); }
        a { display: flex; gap: 1rem; align-items: center; padding: 0.75rem 0.5rem; border-radius: 0.75rem; }
        a { color: inherit; text-decoration: none; }
        a:hover, a:focus-visible { background: var(--over); }
        a:focus-visible { outline: 2px solid var(--text); outline-offset: -2px; }
        img, .tile { flex: none; width: 64px; height: 64px; border-radius: 14px; object-fit: cover; }
        .tile { display: grid; place-items: center; color: #ffffff; font-size: 1.75rem; font-weight: 600; }
        .words { min-width: 0; overflow-wrap: anywhere; }
        strong { font-weight: 600; margin-inline-end: 0.35rem; }
        small { color: var(--soft); font-size: 0.875rem; }
        .tagline { display: block; color: var(--soft); }

        """
}

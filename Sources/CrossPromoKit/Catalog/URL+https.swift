import FoundationEssentials
import PromoWire

extension URL {
    /// Parses an https address by the catalog's rules, because Foundation accepts other texts too, even an empty one.
    init?(https text: String) {
        guard HTTPSURL(text) != nil else { return nil }
        self.init(string: text)
    }
}

import FoundationEssentials
import PromoWire

extension URL {
    /// An https address as a catalog holds it; Foundation alone takes an empty text for an address too.
    init?(https text: String) {
        guard HTTPSURL(text) != nil else { return nil }
        self.init(string: text)
    }
}

import ArgumentParser
import PromoWire

/// Checks values that several subcommands take.
package enum OptionValue {
    /// Checks the value of `--proxy`.
    package static func check(proxy: String?) throws {
        guard let proxy, proxy != "direct", ProxyURL(proxy, isVariable: false) == nil else { return }
        throw ValidationError("--proxy takes the address of a proxy, such as http://proxy.example:3128, or \"direct\".")
    }

    /// Checks the value of `--public-key`.
    /// - Parameter isKey: whether a text is a key; by default, whether it has the length of one.
    package static func check(publicKey: String?, isKey: (String) -> Bool = { $0.utf8.count == 44 }) throws {
        guard let publicKey, !isKey(publicKey) else { return }
        throw ValidationError("--public-key takes 44 characters of base64, as \"promod generate-key\" prints them.")
    }
}

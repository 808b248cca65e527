import ArgumentParser
import PromoWire

/// Checks values that several subcommands take.
package enum OptionValue {
    /// Checks the value of `--proxy`.
    package static func check(proxy: String?) throws {
        guard let proxy, proxy != "direct", ProxyURL(proxy, isVariable: false) == nil else { return }
        throw ValidationError("--proxy takes the address of a proxy, such as http://proxy.example:3128, or \"direct\".")
    }
}

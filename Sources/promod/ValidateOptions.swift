import ArgumentParser
import Glibc
import PromoOptions
import PromoWire

/// The arguments of "promod validate".
struct ValidateOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The catalog: a JSON file, an https address, or - for the standard input, which is also read without an argument unless it is a terminal.",
            valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    private var argument: String?

    @Option(
        help: ArgumentHelp(
            "For an address: a PEM file of additional certificates to trust.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "For an address: a proxy, such as http://proxy.example:3128, or \"direct\" for none.", valueName: "address"
        ))
    var proxy: String?

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print the findings as one line of JSON.")
    var json = false

    /// The file, the address, or - for the standard input.
    var place: String { argument ?? "-" }

    /// Checks the options. It is not `validate`, which the parser calls before it reports an unknown option.
    func check() throws {
        guard argument != nil || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError(
                "The catalog is missing: name a JSON file or an https address, or pipe it into the command.")
        }
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
        try OptionValue.check(proxy: proxy)
    }
}

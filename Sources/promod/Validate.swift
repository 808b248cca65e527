import ArgumentParser
import PromoCore
import PromoDaemon

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog file by the rules that the daemon checks it by.",
        discussion: """
            Prints a line a finding, with a JSON Pointer to the spot.

            Exit codes: 0 for a good catalog, 65 for findings, 66 where the file cannot be read.
            """)

    @Argument(help: "The catalog, a JSON file.", completion: .file(extensions: ["json"]))
    var file: String

    /// No daemon takes a larger one, however it is configured.
    private static let maximumBytes = 64 * 1024 * 1024

    func run() throws {
        let bytes = try read()
        if AppCatalog.hasByteOrderMark(bytes) {
            StandardError.write(
                "\(file): warning: begins with a byte order mark, which promod skips and JSON does not allow")
        }
        do {
            let catalog = try AppCatalog(bytes)
            print(
                "\(file): good, \(catalog.apps.count) apps, \(catalog.promoRules.count) rules, generation \(CatalogDigest(of: bytes).generation)"
            )
        } catch {
            switch error {
            case .json(let error): print("\(file): no strict JSON text: \(error)")
            case .schema(let findings): for finding in findings { print("\(file): \(finding)") }
            }
            throw ArgumentParser.ExitCode(65)
        }
    }

    private func read() throws -> [UInt8] {
        do {
            if let bytes = try FileReader.read(file, maximumBytes: Self.maximumBytes) { return bytes }
            StandardError.write("promod: there is no file \(file)")
        } catch {
            StandardError.write("promod: \(error)")
        }
        throw ArgumentParser.ExitCode(66)
    }
}

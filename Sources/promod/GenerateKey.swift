import ArgumentParser
import PromoCore
import PromoDaemon

struct GenerateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a key with which to sign catalogs.",
        discussion: """
            Writes a new private key into a file that only you can read, and prints the public key, which belongs in \
            catalog.public-key of those who fetch your catalog. Anyone with the private key can sign in your name, so keep it \
            away from the web server. An existing file is never overwritten.

            Exit codes: 0 done; 64 wrong usage; 65 the file has no key; 66 it cannot be read; 73 it exists or cannot be written; 74 the output cannot be written.

            Example: promod generate-key catalog.key
            """)

    @Argument(help: ArgumentHelp("The file to write the private key into.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Print the public key of an existing file, and change nothing.")
    var show = false

    func run() throws {
        if show { return try StandardOutput.write("\(PrivateKey.read(file).publicKey)\n") }
        let key = PrivateKey()
        do {
            try NewFile.write(Array(key.pem.utf8), to: file)
        } catch {
            throw CommandFailure(73, "\(error)")
        }
        try StandardOutput.write("\(key.publicKey)\n")
    }
}

import ArgumentParser
import CLinux
import CrossPromoKit
import Glibc
import PromoOptions
import PromoSystem
import PromoWire

@main
struct Promoctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promoctl",
        abstract:
            "The client of promod: lists, taps, reviews and status.",
        discussion: """
            Begin with "promoctl setup https://example.com/catalog.json". promoctl connects to $PROMOD_SOCKET, else to \
            $XDG_RUNTIME_DIR/promod/promod.sock.

            With --json a command prints the protocol's result, or an error, as one line.

            Exit codes: 0 done or yes; 1 no; 2 something is broken (check); 64 wrong usage; 65 promod refused; 69 promod is not running; \
            74 the output cannot be written; 75 try later.
            """,
        version: "promoctl \(Version.shown(build: unsafe String(cString: promod_build())))",
        groupedSubcommands: [
            CommandGroup(
                name: "Viewing",
                subcommands: [
                    List.self, Page.self, Status.self, Doctor.self, Events.self,
                ]),
            CommandGroup(
                name: "Apps and scripts",
                subcommands: [
                    Tap.self, Impression.self, Launch.self, Review.self, Wait.self, Check.self, Metrics.self,
                ]),
            CommandGroup(
                name: "Setting up",
                subcommands: [
                    Setup.self, Validate.self, Refresh.self, Reload.self, Clear.self,
                ]),
        ])

    static func main() {
        Descriptor.prepareOutput()
        var command: (any ParsableCommand)?
        do {
            if let problem = ProcessArguments.problem ?? SubcommandName.problem(in: arguments, of: Self.self) {
                throw ValidationError(problem)
            }
            command = try parsed()
            try command?.run()
        } catch let error as PromoError {
            Output.end(CommandFailure(error), isJSON: isJSON)
        } catch let failure as CommandFailure {
            Output.end(failure, isJSON: isJSON)
        } catch {
            if isJSON, exitCode(for: error) == .validationFailure {
                Output.end(
                    CommandFailure(.usage, ProcessArguments.withoutCredentials(message(for: error))), isJSON: true)
            }
            let shown = ProcessArguments.withoutCredentials(fullMessage(for: error, thrownBy: command))
            let code = exitCode(for: error)
            guard code == .success else {
                Output.note(shown.messageLines.joined(separator: "\n"))
                Glibc.exit(code.rawValue)
            }
            // Help or a version.
            do throws(CommandFailure) { try Output.line(shown) } catch { Output.end(error, isJSON: isJSON) }
        }
    }

    /// The command of the arguments. Parsing them for the subcommand alone takes half the time, because the other subcommands are
    /// not created. Its errors would lack the full name of the subcommand, so after an error all is parsed again from the root.
    private static func parsed() throws -> any ParsableCommand {
        if let (command, rest) = SubcommandName.command(for: arguments, of: Self.self),
            let parsed = try? command.parse(rest)
        {
            return parsed
        }
        return try parseAsRoot()
    }

    private static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Determined before the arguments are parsed, because wrong usage is reported in JSON too.
    private static var isJSON: Bool { arguments.prefix { $0 != "--" }.contains("--json") }
}

import ArgumentParser
import PromoDaemon

extension Directories {
    /// Where this process's user keeps promod's files.
    static var ofProcess: Directories {
        Directories(environment: ProcessSetup.environment, home: ProcessSetup.home)
    }
}

extension ConfigurationLoader {
    /// The loader of a subcommand, which ends if the environment cannot be read.
    static func ofProcess(commandLine: [String: String] = [:], userFile: String? = nil) throws -> ConfigurationLoader {
        do {
            try ProcessSetup.checkEnvironment()
        } catch {
            StandardError.write("promod: \(error)")
            throw ArgumentParser.ExitCode(error.exitCode.rawValue)
        }
        return ConfigurationLoader(
            commandLine: commandLine, environment: ProcessSetup.environment, directories: .ofProcess, userFile: userFile
        )
    }

    /// The configuration; a broken one ends the subcommand.
    func loadOrEnd() throws -> Loaded {
        do {
            return try load()
        } catch {
            for line in error.lines { StandardError.write("promod: \(line)") }
            throw ArgumentParser.ExitCode(PromoDaemon.ExitCode.configuration.rawValue)
        }
    }
}

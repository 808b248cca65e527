import ArgumentParser
import PromoDaemon

extension Directories {
    /// promod's directories for the user of this process.
    static var ofProcess: Directories {
        Directories(environment: ProcessSetup.environment, home: ProcessSetup.home)
    }
}

extension ConfigurationLoader {
    /// A loader for a subcommand; if the environment is not valid, prints why and throws the exit code.
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

    /// Loads the configuration; if it is broken, prints every problem and throws the exit code.
    func loadOrEnd() throws -> Loaded {
        do {
            return try load()
        } catch {
            for line in error.lines { StandardError.write("promod: \(line)") }
            throw ArgumentParser.ExitCode(PromoDaemon.ExitCode.configuration.rawValue)
        }
    }
}

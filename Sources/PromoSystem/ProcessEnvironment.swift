import Glibc
import PromoWire

/// The process's environment, read as bytes because Foundation replaces invalid UTF-8, which turns a path into another.
package struct ProcessEnvironment: Equatable, Sendable {
    /// The variables that are valid UTF-8; of two with the same name, the first, as for `getenv`.
    package let variables: [String: String]
    /// The name of a variable that promod uses and that is not valid UTF-8; nil if there is none.
    private let invalid: String?

    /// Reads the environment of this process.
    package init() {
        var entries: [[UInt8]] = []
        // The list ends with a null, and each entry with a NUL. As for getenv, no other thread may change them meanwhile.
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            unsafe entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            unsafe next += 1
        }
        self.init(entries)
    }

    /// Creates an environment from entries of the form `NAME=value`.
    package init(_ entries: [[UInt8]]) {
        var (variables, invalid): ([String: String], String?) = ([:], nil)
        for entry in entries {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = entry[..<equals]
            if let name = String(validating: name, as: UTF8.self),
                let value = String(validating: entry[(equals + 1)...], as: UTF8.self)
            {
                variables[name] = variables[name] ?? value
            } else if invalid == nil, Self.isPromods(name) {
                invalid = String(decoding: name, as: UTF8.self)
            }
        }
        (self.variables, self.invalid) = (variables, invalid)
    }

    /// The variables.
    /// - Throws: ``InvalidVariable`` if one that promod uses is not valid UTF-8.
    package func checked() throws(InvalidVariable) -> [String: String] {
        if let invalid { throw InvalidVariable(name: invalid) }
        return variables
    }

    private static func isPromods(_ name: ArraySlice<UInt8>) -> Bool {
        names.contains { name.elementsEqual($0.utf8) }
    }

    private static let names = [
        "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS",
        "XDG_DATA_HOME", "XDG_DATA_DIRS", "PROMOD_SOCKET", "PROMOD_PROGRAM",
    ]
}

/// The error for an environment variable that promod uses and that is not valid UTF-8.
package struct InvalidVariable: Error, Equatable, CustomStringConvertible {
    package let name: String

    /// Creates an error that names the variable.
    package init(name: String) {
        self.name = name
    }

    package var description: String { "The environment variable \(name.printable) is not valid UTF-8." }
}

/// The process's arguments, which may be invalid UTF-8 or contain a password.
package enum ProcessArguments {
    /// The problem with the arguments; nil if they are valid UTF-8. Swift replaces invalid bytes, which turns a path into
    /// another.
    package static var problem: String? {
        for number in 1..<max(Int(CommandLine.argc), 1) {
            // The kernel passed `argc` texts, which end with a NUL and exist until the process ends.
            guard let argument = unsafe CommandLine.unsafeArgv[number] else { break }
            if unsafe String(validatingCString: argument) == nil { return "Argument \(number) is not valid UTF-8." }
        }
        return nil
    }

    /// A message in which `…` replaces the part of each argument before its `@`, which may be a user and a password.
    package static func withoutCredentials(
        _ message: String, of arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> String {
        // A message may quote an option's value without its name.
        let quoted = arguments.flatMap { [$0[...], $0.drop { $0 != "=" }.dropFirst()] }.filter { $0.contains("@") }
        return quoted.sorted { $0.count > $1.count }.reduce(message) { message, argument in
            guard let end = argument.lastIndex(of: "@") else { return message }
            return message.replacing(argument, with: "…" + argument[end...])
        }
    }
}

/// The name of this process's user.
package enum UserName {
    /// The name in the system's list of users; the user's id if the list lacks it.
    package static var current: String {
        // The entry is valid until the next call, and its name ends with a NUL.
        unsafe getpwuid(geteuid()).flatMap { unsafe $0.pointee.pw_name }.map { unsafe String(cString: $0) }
            ?? "\(geteuid())"
    }
}

extension [String: String] {
    /// The directory that a variable of the XDG Base Directory Specification names, or its default in the home directory; nil without
    /// either. An empty or relative variable counts as unset.
    package func baseDirectory(_ variable: String, _ fallback: String, home: String?) -> String? {
        if let path = self[variable], path.hasPrefix("/") { return path }
        guard let home, home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + fallback
    }

    /// Why root may not write into the home directory, as after `sudo --preserve-env`: its user could not change the files. nil if it may.
    package var refusalOfHome: String? {
        guard geteuid() == 0, let home = self["HOME"], let owner = stat(of: home)?.st_uid, owner != 0 else {
            return nil
        }
        return "HOME, \(home), belongs to the user \(owner), who could not change the files of root; set HOME to root's"
    }
}

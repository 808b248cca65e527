import Glibc
import PromoWire

/// The process's environment, read by bytes: Foundation's replaces what is not UTF-8, and makes another path of it.
package struct ProcessEnvironment: Equatable, Sendable {
    /// The variables that are valid UTF-8; of two with one name the first, as `getenv` has it.
    package let variables: [String: String]
    /// The name of a variable that says where promod's files or socket are, and is not valid UTF-8; nil if all are.
    private let invalid: String?

    /// The environment as it is now.
    package init() {
        var entries: [[UInt8]] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            next += 1
        }
        self.init(entries)
    }

    /// The environment of entries `NAME=value`.
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

    /// The variables, if each that promod goes by can be read.
    package func checked() throws(InvalidVariable) -> [String: String] {
        if let invalid { throw InvalidVariable(name: invalid) }
        return variables
    }

    private static func isPromods(_ name: ArraySlice<UInt8>) -> Bool {
        directories.contains { name.elementsEqual($0.utf8) } || name.starts(with: "PROMOD_".utf8)
    }

    private static let directories = [
        "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS",
    ]
}

/// A variable that promod goes by and cannot read.
package struct InvalidVariable: Error, Equatable, CustomStringConvertible {
    package let name: String

    /// The error for a variable.
    package init(name: String) {
        self.name = name
    }

    package var description: String { "The environment variable \(name.printable) is not valid UTF-8." }
}

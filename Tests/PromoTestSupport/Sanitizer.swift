import Foundation

/// The sanitizer under which the tests run, if there is one; `packaging/test-sanitized` sets its options.
package enum Sanitizer {
    private static let names = ["TSAN_OPTIONS", "ASAN_OPTIONS"]

    /// Its options, which the programs under test need too.
    package static var variables: [String: String] {
        ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
    }

    /// Whether there is one. It takes crash signals for itself, and needs more address space than a test may allow.
    package static var isOn: Bool { !variables.isEmpty }
}

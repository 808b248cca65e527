import Foundation

/// The pictures with which the fuzzers begin, of a few pixels.
package enum Pictures {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpora/picture")

    /// The names of all; each begins with its format.
    package static let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path))?.sorted() ?? []

    /// The bytes of one.
    package static func named(_ name: String) -> [UInt8] {
        Array((try? Data(contentsOf: directory.appendingPathComponent(name))) ?? Data())
    }

    /// A PNG, which stays one with any bytes behind it.
    package static let png = named("png-rgb")
}

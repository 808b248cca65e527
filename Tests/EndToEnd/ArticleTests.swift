import Foundation
import PromoTestSupport
import Testing

/// The Swift programs in the library's articles.
struct ArticleTests {
    private static let build = URL(fileURLWithPath: DaemonUnderTest.binary).deletingLastPathComponent().path
    /// What the package manager tells a compiler that imports the library.
    private static let importing =
        ["-I", build + "/Modules"]
        + ["-Xcc", "-fmodule-map-file=\(build)/CLinux.build/module.modulemap"]
    private static let directory = "\(repository.path)/Sources/CrossPromoKit/CrossPromoKit.docc"
    private static let environment = ProcessInfo.processInfo.environment

    /// The Swift programs in the library's articles and its tutorial.
    private static func programs() throws -> [String] {
        var programs: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory).sorted() {
            guard name.hasSuffix(".md") || name.hasSuffix(".swift") else { continue }
            let text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            let blocks = name.hasSuffix(".md") ? text.components(separatedBy: "```swift\n").dropFirst() : [text]
            for block in blocks {
                let program = block.components(separatedBy: "```")[0]
                // Manifests, and tests, which need the plug-in of Swift Testing.
                if program.hasPrefix("import"), !program.contains("import Testing") { programs.append(program) }
            }
        }
        return programs
    }

    @Test func theProgramsInTheLibrarysArticlesCompile() throws {
        let scratch = try ScratchDirectory()
        let programs = try Self.programs()
        #expect(programs.count > 15)
        let script = """
            seq 0 $(($1 - 1)) | xargs -P 2 -I{} sh -c 'out=$(swiftc -typecheck -swift-version 6 -warnings-as-errors "$@" {}/main.swift 2>&1) ||
            { echo "{}: $out"; exit 1; }' sh \(Self.importing.joined(separator: " "))
            """
        for (number, program) in programs.enumerated() { try scratch.write("\(number)/main.swift", program) }
        let (end, output, _) = try ChildProcess.run(
            ["sh", "-c", "cd \(scratch.path) && \(script)", "sh", "\(programs.count)"], environment: Self.environment)
        #expect(end == .exited(0), "\(output)")
    }

    /// They are linked with what was built for these tests.
    @Test(.disabled(if: Sanitizer.isOn)) func theTestsInTheArticlesPass() throws {
        let scratch = try ScratchDirectory()
        let article = try String(contentsOfFile: "\(Self.directory)/PreviewsAndTests.md", encoding: .utf8)
        for (number, block) in article.components(separatedBy: "```swift\n").dropFirst().enumerated() {
            try scratch.write("\(number).swift", block.components(separatedBy: "```")[0])
        }
        try scratch.write(
            "runner.swift",
            """
            import Testing
            @main struct Runner {
                static func main() async { await Testing.__swiftPMEntryPoint() as Never }
            }
            """)
        let objects = ["CrossPromoKit", "PromoSystem", "PromoWire", "CLinux", "Logging"]
            .map { "\(Self.build)/\($0).build/*.o" }.joined(separator: " ")
        let script = """
            cd \(scratch.path) && plugins=$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/host/plugins &&
            swiftc -swift-version 6 -parse-as-library \(Self.importing.joined(separator: " ")) \
            -load-plugin-library "$(find "$plugins" -name libTestingMacros.so)" *.swift \(objects) -o tests && ./tests 2>&1
            """
        let (end, output, error) = try ChildProcess.run(["sh", "-c", script], environment: Self.environment)
        #expect(end == .exited(0), "\(output) \(error)")
        #expect(output.contains("Test run with 2 tests"))
    }

    @Test func thePackageResolvesSwiftLogAlone() throws {
        let article = try String(contentsOfFile: "\(Self.directory)/FirstList.md", encoding: .utf8)
        let blocks = article.components(separatedBy: "```swift\n")
        let manifest = try #require(blocks.first { $0.hasPrefix("// swift-tools-version:") })
        let scratch = try ScratchDirectory()
        try FileManager.default.createSymbolicLink(atPath: scratch("promod"), withDestinationPath: repository.path)
        try scratch.write("client/Package.swift", manifest.components(separatedBy: "```")[0])
        try scratch.write("client/Sources/client/main.swift", "import CrossPromoKit\n")
        let (end, output, error) = try ChildProcess.run(
            ["swift", "package", "--package-path", scratch("client"), "show-dependencies", "--format", "flatlist"],
            environment: Self.environment)
        #expect(end == .exited(0), "\(error)")
        #expect(output.split(separator: "\n").sorted() == ["promod", "swift-log"], "\(output)")
    }
}

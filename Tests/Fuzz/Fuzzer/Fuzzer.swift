import FuzzTargets
import Glibc

/// Fuzzes the target that the environment variable FUZZ_TARGET names; the arguments are libFuzzer's.
@main
enum Fuzzer {
    fileprivate static let target: FuzzTarget = {
        guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget.named(String(cString: name)) else {
            print("Set FUZZ_TARGET to one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
            exit(64)
        }
        return target
    }()

    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runLibFuzzer(&count, &arguments, check))
    }
}

/// libFuzzer's own entry point. Its main function is not used, because SwiftPM gives every program one.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ check: @convention(c) (UnsafeRawPointer?, Int) -> CInt
) -> CInt

/// Checks one input. libFuzzer's main function refers to it by this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    do {
        try Fuzzer.target.check(Array(UnsafeRawBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(Fuzzer.target.name): \(error)")
    }
    return 0
}

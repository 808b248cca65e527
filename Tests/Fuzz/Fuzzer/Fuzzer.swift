import FuzzTargets
import Glibc

/// The target that the environment variable FUZZ_TARGET names.
private let target: FuzzTarget = {
    guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget.named(String(cString: name)) else {
        print("Set FUZZ_TARGET to one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        exit(64)
    }
    return target
}()

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    do {
        try target.check(Array(UnsafeRawBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}

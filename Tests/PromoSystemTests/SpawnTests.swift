import Glibc
import PromoSystem
import Testing

struct SpawnTests {
    @Test(arguments: [true, false])
    func aProgramGetsNoOtherDescriptorsIfAskedFor(closesOthers: Bool) throws {
        var (output, other): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        #expect(pipe(&output) == 0 && pipe(&other) == 0)
        defer { for descriptor in [output[0]] + other { close(descriptor) } }
        let process = Spawn.start(
            "sh", ["sh", "-c", "[ -e /proc/self/fd/\(other[0]) ] && echo there"],
            descriptors: [(output[1], as: STDOUT_FILENO)], last: closesOthers ? STDERR_FILENO : nil)
        close(output[1])
        try #require(process > 0)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(output[0], &bytes, bytes.count)
        waitpid(process, nil, 0)
        #expect((count > 0) == !closesOthers)
    }
}

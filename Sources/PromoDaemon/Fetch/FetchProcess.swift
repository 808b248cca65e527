import CFetch
import Glibc
import PromoSystem
import PromoWire

/// The process that fetches: promod's own file, started again under another name. It reads queries from descriptor 0, one at a time,
/// answers on 1, and ends with the end of the queries.
///
/// It alone maps libcurl, and parses what the network sends where that can do the least harm.
package enum FetchProcess {
    /// Its name, as its first argument.
    package static let name = "promod-fetch"
    /// The processor time for a query, in seconds; a catalog of 5 MB takes less than 0.1 s.
    private static let processorSeconds: UInt32 = 30

    /// The arguments of a process that may read a file of certificates.
    package static func arguments(caFile: String?) -> [String] { [name] + (caFile.map { [$0] } ?? []) }

    /// Whether these are the arguments of a fetching process.
    package static func isMeant(by arguments: [String]) -> Bool { arguments.first == name }

    /// Answers queries until descriptor 0 ends, and then ends the process.
    package static func run(_ arguments: [String]) -> Never {
        // It must have no terminal into which it could type.
        setsid()
        // The text belongs to the C library until its next call, and is copied at once.
        let missing = unsafe promod_fetch_load().map { unsafe String(cString: $0) }
        let caFile = arguments.dropFirst().first
        // The path ends with a NUL.
        unsafe promod_fetch_confine(caFile)
        var framer = LineFramer(maximumLength: FetchQuery.maximumLength)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Descriptor.read(from: STDIN_FILENO, into: &buffer)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { _exit(0) }
            let piece = buffer[..<count]
            framer.append(piece.span)
            while let event = framer.next() {
                guard case .line(let line) = event, let query = FetchQuery(line: line) else { _exit(2) }
                promod_fetch_allow_seconds(processorSeconds)
                FetchTransfer(query).perform(trusting: caFile, without: missing)
            }
        }
    }

    /// Sends an answer; without a receiver, the process ends.
    static func send(_ answer: FetchAnswer) {
        guard Descriptor.writeAll(answer.bytes, to: STDOUT_FILENO) else { _exit(1) }
    }
}

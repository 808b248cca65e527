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
        let missing = unsafe text(promod_fetch_load())
        let caFile = arguments.dropFirst().first
        // The path ends with a NUL.
        unsafe promod_fetch_confine(caFile)
        var framer = LineFramer(maximumLength: FetchQuery.maximumLine)
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
                var answer = FetchAnswer()
                if let missing {
                    (answer.code, answer.text) = (Int(PROMOD_NO_LIBRARY), missing)
                } else {
                    answer = perform(query, trusting: caFile)
                }
                guard Descriptor.writeAll(answer.bytes, to: STDOUT_FILENO) else { _exit(1) }
            }
        }
    }

    private static func perform(_ query: FetchQuery, trusting caFile: String?) -> FetchAnswer {
        var answer = FetchAnswer()
        var fetched = promod_answer()
        // Each line ends with a NUL, and the list with another. Texts and the structure stay until the exchange has ended.
        unsafe promod_fetch_perform(
            query.url, query.headers.map { $0 + "\0" }.joined() + "\0", query.credentials, query.proxy, caFile,
            query.maximumBytes, query.patience, query.milliseconds, &fetched)
        (answer.code, answer.systemError) = (Int(fetched.code), Int(fetched.system_error))
        (answer.verdict, answer.proxyStatus) = (Int(fetched.verdict), Int(fetched.proxy_status))
        (answer.status, answer.isMoved) = (fetched.status, fetched.is_moved != 0)
        (answer.text, answer.phrase) = (text(in: &fetched.text), text(in: &fetched.phrase))
        answer.proxyVariable = text(in: &fetched.proxy_variable)
        // What came stays until the next exchange, and is copied at once.
        answer.address = unsafe text(promod_fetch_address()) ?? ""
        (answer.etag, answer.lastModified) = (field("ETag"), field("Last-Modified"))
        (answer.encoding, answer.age) = (field("Content-Encoding"), number("Age") ?? 0)
        // By the response's own date and its age in caches, so that only the origin's clock counts.
        let date = moment("Date") ?? time(nil)
        answer.retryAfter = number("Retry-After") ?? moment("Retry-After").map { max($0 - date - answer.age, 0) }
        // Within that second the catalog may have changed again (RFC 9110 §8.8.2.2).
        if let changed = moment("Last-Modified"), date - changed < 1 { answer.lastModified = nil }
        if answer.status == 200, answer.code == PROMOD_CURL_OK {
            answer.body = unsafe Array(UnsafeBufferPointer(start: promod_fetch_body(), count: fetched.count))
        }
        return answer
    }

    private static func field(_ name: String) -> OutsideText? { unsafe text(promod_fetch_field(name)) }

    /// The time in a field, in seconds since 1970; nil if there is another text.
    private static func moment(_ name: String) -> Int? {
        // The name ends with a NUL, and is not kept.
        let seconds = unsafe promod_fetch_time(name)
        return seconds < 0 ? nil : Int(seconds)
    }

    /// The number in a field; nil if there is another text. One of more digits counts as long.
    private static func number(_ name: String) -> Int? {
        field(name).flatMap { $0.isEmpty || !$0.bytes.allSatisfy(\.isDigit) ? nil : Int($0.text.prefix(12)) }
    }

    /// The text in a C array, up to its NUL.
    private static func text<Characters>(in characters: inout Characters) -> OutsideText {
        unsafe withUnsafeBytes(of: &characters) { unsafe valid($0.prefix { $0 != 0 }) }
    }

    private static func text(_ start: UnsafePointer<CChar>?) -> OutsideText? {
        unsafe start.map { unsafe valid(UnsafeRawBufferPointer(start: $0, count: strlen($0))[...]) }
    }

    /// The bytes as valid UTF-8, which JSON needs, with U+FFFD in place of others.
    private static func valid(_ bytes: Slice<UnsafeRawBufferPointer>) -> OutsideText {
        unsafe OutsideText(String(decoding: bytes.prefix(FetchAnswer.maximumText), as: UTF8.self))
    }
}

import CFetch
import Glibc
import PromoSystem
import PromoWire

/// One request and its answer, in the fetching process.
final class FetchTransfer {
    private let query: FetchQuery
    private var reader: HeadReader
    private var answer = FetchAnswer()
    private var body = HeadReader.Body.unneeded
    /// Why the transfer was stopped here; libcurl does not know the reason.
    private var problem: FetchProblem?

    /// A transfer that has not begun.
    init(_ query: FetchQuery) {
        self.query = query
        reader = HeadReader(maximumBody: query.maximumBytes)
    }

    /// Performs the request, and sends the answer to the daemon.
    /// - Parameters:
    ///   - caFile: a file of certificates that are trusted in addition to the system's.
    ///   - library: why libraries cannot be loaded; nil if they were.
    func perform(trusting caFile: String?, without library: String?) {
        var outcome = promod_outcome()
        if let library {
            problem = FetchProblem(kind: .noLibrary, text: OutsideText(library))
        } else {
            // Each line ends with a NUL, and the list with another. Texts, transfer and outcome stay until the request has ended, and
            // the closure is called meanwhile alone.
            unsafe promod_fetch_perform(
                query.url.requestText, query.headers.map { $0 + "\0" }.joined() + "\0", query.proxy, caFile,
                query.milliseconds,
                { context, isLine, bytes, count in
                    guard let context = unsafe context else { return 0 }
                    let transfer = unsafe Unmanaged<FetchTransfer>.fromOpaque(context).takeUnretainedValue()
                    let bytes = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
                    return isLine != 0 ? transfer.takeLine(bytes) : transfer.takePart(bytes) ? 1 : 0
                }, Unmanaged.passUnretained(self).toOpaque(), &outcome)
        }
        let proxyVariable = Self.text(&outcome.proxy_variable).ascii(upTo: 16).flatMap { $0.isEmpty ? nil : $0 }
        let proxy = UsedProxy(query.proxy, variable: proxyVariable, environment: ProcessEnvironment().variables)
        answer.failure = problem(&outcome)?.failure(at: query.url, by: proxy, limit: query.maximumBytes)
        FetchProcess.send(answer)
    }

    // MARK: The response

    private func takeLine(_ line: [UInt8]) -> Int32 {
        do throws(FetchProblem) {
            guard let (head, body) = try reader.read(line) else { return 1 }
            self.body = body
            answer.head = head
            if head.isCompressed { return Int32(PROMOD_DECOMPRESS) }
            // An error in a body that is not needed must not hide the head.
            return body != .unneeded || [204, 304].contains(head.status) ? 1 : 0
        } catch {
            problem = error
            return 0
        }
    }

    private func takePart(_ bytes: [UInt8]) -> Bool {
        guard body != .unneeded else { return false }
        answer.body += bytes
        if answer.body.count > query.maximumBytes {
            problem = FetchProblem(kind: .tooLarge)
            answer.body = []
        }
        return problem == nil
    }

    // MARK: The end

    /// Why the answer is incomplete; nil if it is not.
    private func problem(_ outcome: inout promod_outcome) -> FetchProblem? {
        if var problem {
            problem.isConnected = problem.kind != .noLibrary
            return problem
        }
        if answer.head != nil, body == .unneeded { return nil }
        if outcome.is_bad_gzip != 0 {
            return FetchProblem(kind: .badGzip, text: "\(outcome.gzip_offset)", isConnected: true)
        }
        guard outcome.code == CODE_OK else { return FetchProblem(&outcome) }
        // An intermediary can end a connection, but only the origin can say that it has sent everything.
        let isEndSaid = outcome.is_http2 != 0 || outcome.is_closed != 0
        let isWhole = body == .needed(isFramed: true) || answer.head != nil && isEndSaid
        return isWhole ? nil : FetchProblem(kind: .closed, isConnected: true)
    }

    /// The text in a C array, up to its NUL.
    static func text<Characters>(_ characters: inout Characters) -> OutsideText {
        unsafe withUnsafeBytes(of: &characters) { unsafe OutsideText(Array($0.prefix { $0 != 0 })) }
    }
}

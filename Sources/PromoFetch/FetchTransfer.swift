import CFetch
import PromoWire

/// One request and its answer, in the fetching process.
final class FetchTransfer {
    private let query: FetchQuery
    private var reader: HeadReader
    private var body = HeadReader.Body.unneeded
    private var gunzip: Gunzip?
    private var count = 0
    /// What is wrong with the answer; libcurl's own words then say only that it was stopped.
    private var problem: FetchProblem?
    private var hasHead = false

    /// A transfer that has not begun.
    init(_ query: FetchQuery) {
        self.query = query
        reader = HeadReader(maximumBody: query.maximumBytes)
    }

    /// Performs the request, and sends what comes, but for the end.
    func perform() -> FetchMessage.End {
        var outcome = promod_outcome()
        let headers = query.headers.map { $0 + "\0" }.joined() + "\0"
        // The texts, the transfer and its outcome stay until the request has ended, and the closures are called meanwhile alone.
        unsafe query.url.withCString { url in
            unsafe headers.withCString { headers in
                unsafe Self.withCString(query.proxy) { proxy in
                    var request = unsafe promod_request(
                        url: url, headers: headers, proxy: proxy, milliseconds: query.milliseconds,
                        context: Unmanaged.passUnretained(self).toOpaque(),
                        line: { context, bytes, count in
                            unsafe FetchTransfer.of(context).takeLine(FetchTransfer.array(bytes, count)) ? 1 : 0
                        },
                        body: { context, bytes, count in
                            unsafe FetchTransfer.of(context).takeBody(FetchTransfer.array(bytes, count)) ? 1 : 0
                        })
                    unsafe promod_fetch_perform(&request, &outcome)
                }
            }
        }
        let variable = Self.text(&outcome.proxy_variable, MemoryLayout.size(ofValue: outcome.proxy_variable))
        return FetchMessage.End(
            problem: whole(&outcome), proxyVariable: variable.isEmpty ? nil : variable.ascii(upTo: 16))
    }

    // MARK: What comes

    private func takeLine(_ line: [UInt8]) -> Bool {
        do throws(FetchProblem) {
            guard let (answer, location, body) = try reader.read(line) else { return true }
            var head = answer
            if let location, !location.isEmpty { head.location = resolve(location) }
            self.body = body
            if case .needed(isCompressed: true, _) = body {
                gunzip = Gunzip()
                head.isCompressed = true
            }
            hasHead = true
            FetchProcess.send(.head(head))
            // An error in a body that is not needed must not hide the head.
            return body != .unneeded || [204, 304].contains(head.status)
        } catch {
            problem = error
            return false
        }
    }

    private func takeBody(_ bytes: [UInt8]) -> Bool {
        do throws(Gunzip.Invalid) {
            return try gunzip?.decompress(bytes, pass) ?? pass(bytes)
        } catch {
            problem = FetchProblem(.badGzip)
            return false
        }
    }

    private func pass(_ bytes: [UInt8]) -> Bool {
        guard body != .unneeded else { return false }
        count += bytes.count
        guard count <= query.maximumBytes else {
            problem = FetchProblem(.tooLarge)
            return false
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            FetchProcess.send(.body(Array(rest.prefix(FetchMessage.maximumPart))))
            rest = rest.dropFirst(FetchMessage.maximumPart)
        }
        return true
    }

    /// The target of a redirect; empty if it is none.
    private func resolve(_ location: OutsideText) -> OutsideText {
        var buffer = [CChar](repeating: 0, count: FetchMessage.maximumText)
        // Bytes that are not ASCII become escapes, as in browsers. A NUL would have been refused with the line.
        let address = location.bytes.map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "%\(String(byte, radix: 16, uppercase: true))"
        }.joined()
        let isValid = unsafe promod_fetch_resolve(query.url, address, &buffer, buffer.count) != 0
        return isValid ? OutsideText(buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))) : ""
    }

    // MARK: How it ends

    /// What kept the answer from being whole; nil if it is.
    private func whole(_ outcome: inout promod_outcome) -> FetchProblem? {
        if var problem {
            problem.isConnected = true
            return problem
        }
        if hasHead, body == .unneeded { return nil }
        guard outcome.code == CODE_OK else { return problem(&outcome) }
        guard case .needed(_, let isFramed) = body else { return FetchProblem(.closed, isConnected: true) }
        do throws(Gunzip.Invalid) {
            try gunzip?.finish()
        } catch {
            return FetchProblem(.badGzip, isConnected: true)
        }
        // Anybody between the two can end a connection, but only the origin can say that it has sent everything.
        return outcome.is_http1 != 0 && !isFramed && outcome.is_closed == 0
            ? FetchProblem(.closed, isConnected: true) : nil
    }

    private func problem(_ outcome: inout promod_outcome) -> FetchProblem {
        let text = Self.text(&outcome.text, MemoryLayout.size(ofValue: outcome.text))
        var kind = FetchProblem.Kind(
            outcome.code, text, isConnected: outcome.is_connected != 0, proxyStatus: outcome.proxy_status)
        // The server's reason may have been lost with the connection.
        if outcome.wants_certificate != 0, [.handshake, .broken, .closed].contains(kind) { kind = .wantsCertificate }
        return FetchProblem(
            kind, text: text,
            systemError: Int(outcome.system_error), isConnected: outcome.is_connected != 0,
            isDeadline: outcome.is_deadline != 0, proxyStatus: outcome.proxy_status,
            certificate: certificate(&outcome))
    }

    private func certificate(_ outcome: inout promod_outcome) -> FetchProblem.Certificate? {
        guard outcome.certificate_error != 0 else { return nil }
        func names(_ text: OutsideText) -> [OutsideText] {
            text.bytes.split(separator: UInt8(ascii: "\n")).map { OutsideText($0) }
        }
        return FetchProblem.Certificate(
            error: Int(outcome.certificate_error), depth: Int(outcome.certificate_depth),
            sent: Int(outcome.certificates_sent), notBefore: Timestamp(seconds: outcome.not_before),
            notAfter: Timestamp(seconds: outcome.not_after),
            subject: names(Self.text(&outcome.subject, MemoryLayout.size(ofValue: outcome.subject))),
            issuer: names(Self.text(&outcome.issuer, MemoryLayout.size(ofValue: outcome.issuer))))
    }

    // MARK: C

    /// The transfer that lent itself as the context of a request.
    private static func of(_ context: UnsafeMutableRawPointer?) -> FetchTransfer {
        guard let context = unsafe context else { preconditionFailure("libcurl has lost its context") }
        return unsafe Unmanaged<FetchTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static func array(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The text in a C array, up to its NUL.
    private static func text<Characters>(_ characters: inout Characters, _ size: Int) -> OutsideText {
        unsafe withUnsafeBytes(of: &characters) { unsafe OutsideText(Array($0.prefix(size).prefix { $0 != 0 })) }
    }

    private static func withCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
        guard let text else { return body(nil) }
        unsafe text.withCString { unsafe body($0) }
    }
}

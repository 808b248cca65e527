import PromoWire

extension FuzzTarget {
    /// Any line can come from a daemon, and a result that a client accepts and writes is read back. A count of a method that the client
    /// does not know is not written.
    static let reply = FuzzTarget(name: "reply") { input in
        guard case .result(let value)? = Incoming(line: input) else { return }
        _ = try? ListResult(value)
        try checkResult(value, StatusResult.init)
        try checkResult(value, TapResult.init)
        try checkResult(value, LaunchResult.init)
        try checkResult(value, ReviewResult.init)
        try checkResult(value, RefreshResult.init)
        try checkResult(value, SubscribeResult.init)
    }

    private static func checkResult<Result: MethodResult & Equatable>(
        _ value: JSONValue, _ read: (JSONValue) throws(MalformedResult) -> Result
    ) throws {
        guard let result = try? read(value) else { return }
        let once = written(result)
        let twice = written(try read(try JSONDocument(once, maximumDepth: 64).root))
        try require(
            once == twice, "\(String(decoding: once, as: UTF8.self)) became \(String(decoding: twice, as: UTF8.self))")
    }

    private static func written(_ result: some MethodResult) -> [UInt8] {
        var writer = JSONWriter()
        result.write(to: &writer)
        return writer.bytes
    }
}

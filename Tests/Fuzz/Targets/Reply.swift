import PromoWire

extension FuzzTarget {
    /// Any line can come from a daemon, and a result that a client accepts is the one that would be written.
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
        var writer = JSONWriter()
        result.write(to: &writer)
        let again = try? read(try JSONDocument(writer.bytes, maximumDepth: 64).root)
        try require(again == result, "\(result) was read back as \(String(describing: again))")
    }
}

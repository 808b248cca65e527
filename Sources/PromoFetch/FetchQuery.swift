package import PromoWire

/// One GET request, as promod gives it to the fetching process.
package struct FetchQuery: Equatable, Sendable {
    /// The longest line of a query, in bytes without its LF: an address, validators and two pairs of credentials, and their escapes.
    package static let maximumLength = 1 << 17

    /// The address, of which user and password are not passed on.
    package var url: HTTPSURL
    /// The header's lines.
    package var headers: [String]
    /// The proxy's address; empty for none, nil for what the environment says.
    package var proxy: String?
    /// The largest body after decompression, in bytes.
    package var maximumBytes: Int
    /// The time limit, in milliseconds.
    package var milliseconds: Int

    /// A query.
    package init(url: HTTPSURL, headers: [String], proxy: String?, maximumBytes: Int, milliseconds: Int) {
        self.url = url
        self.headers = headers
        self.proxy = proxy
        self.maximumBytes = maximumBytes
        self.milliseconds = milliseconds
    }

    /// The query's line, with its LF.
    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("url", url.requestText)
            writer.member("headers", headers)
            writer.member("proxy", proxy)
            writer.member("maximumBytes", maximumBytes)
            writer.member("milliseconds", milliseconds)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads what ``line`` wrote, without its LF; nil for anything else.
    package init?(line: [UInt8]) {
        guard let query = try? JSONDocument(line, maximumDepth: 2).root,
            let address = query["url"]?.ascii(upTo: HTTPSURL.maximumLength), let url = HTTPSURL(address),
            address == url.requestText, let headers = query["headers"],
            let maximumBytes = query["maximumBytes"]?.integer, let milliseconds = query["milliseconds"]?.integer
        else { return nil }
        self.init(
            url: url, headers: headers.elements.compactMap { $0.text(upTo: Self.maximumLength) },
            proxy: query["proxy"]?.text(upTo: Self.maximumLength), maximumBytes: maximumBytes,
            milliseconds: milliseconds)
    }
}

extension JSONValue {
    /// The string, if it has no NUL and at most so many bytes.
    fileprivate func text(upTo count: Int) -> String? {
        guard let bytes = outsideText?.bytes, bytes.count <= count, !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

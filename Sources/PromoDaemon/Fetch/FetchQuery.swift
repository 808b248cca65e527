package import PromoWire

/// A GET request for the fetching process.
package struct FetchQuery: Equatable, Sendable {
    /// The longest line, in bytes without its LF: an address, validators and two pairs of credentials, with their escapes.
    package static let maximumLength = 1 << 17

    /// The address; its user and password stay in the daemon.
    package var url: HTTPSURL
    /// The header's lines.
    package var headers: [String]
    /// The proxy's address; empty for none, nil if the environment decides.
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

    /// The query as a line of JSON, with its LF.
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
        guard let json = try? JSONDocument(line, maximumDepth: 2).root,
            let address = json["url"]?.ascii(upTo: HTTPSURL.maximumLength), let url = HTTPSURL(address),
            address == url.requestText
        else { return nil }
        do throws(MalformedResult) {
            self.init(
                url: url, headers: try json.read("headers"), proxy: try json.read("proxy"),
                maximumBytes: try json.read("maximumBytes"), milliseconds: try json.read("milliseconds"))
        } catch {
            return nil
        }
        // Texts of C end at a NUL.
        guard !(headers + [proxy ?? ""]).joined().utf8.contains(0) else { return nil }
    }
}

import FoundationEssentials
import Glibc
import PromoWire

extension FuzzTarget {
    /// Normalising an address twice is the same as once, libraries see the same host in it, and what is shown of it has no secrets and no
    /// controls.
    static let url = FuzzTarget(name: "url") { input in
        guard let url = HTTPSURL(OutsideText(input)) else { return }
        let again = HTTPSURL(url.normalized)
        try require(again == url, "\(url.normalized) is another address")
        try require(again?.normalized == url.normalized, "\(url.normalized) is normalised again")
        try require(HTTPSURL(url.requestText)?.host == url.host, "a request goes to another host")
        try require(HTTPSURL(url.requestText)?.requestText == url.requestText, "\(url.requestText) is not read again")
        // Of an IP address there are many forms.
        if url.host.split(separator: ".").last?.first?.isLetter == true {
            let host = URL(string: url.requestText)?.host()
            try require(host == url.host, "the library asks \(host ?? "nobody"), not \(url.host)")
            let asked = CurlURL.host(of: url.requestText)
            try require(asked == url.host, "libcurl asks \(asked ?? "nobody"), not \(url.host)")
        }
        try require(HTTPSURL(url.link)?.link == url.link, "\(url.link) is another link")
        try require(url.description.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "\(url) is not printable")
        let authority = url.description.dropFirst("https://".count).prefix { $0 != "/" }
        try require(!authority.contains("@"), "\(url) shows who asks")
    }
}

/// libcurl's parser of addresses.
private enum CurlURL {
    private typealias Make = @convention(c) () -> OpaquePointer?
    private typealias Set =
        @convention(c) (OpaquePointer?, CUnsignedInt, UnsafePointer<CChar>, CUnsignedInt) -> CUnsignedInt
    private typealias Get =
        @convention(c) (
            OpaquePointer?, CUnsignedInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CUnsignedInt
        ) -> CUnsignedInt
    private typealias Free = @convention(c) (OpaquePointer?) -> Void

    private static func function<Function>(_ name: String, as _: Function.Type) -> Function {
        unsafeBitCast(dlsym(dlopen("libcurl.so.4", RTLD_LAZY), name), to: Function.self)
    }

    /// The host that libcurl would ask; nil if it takes no such address.
    static func host(of text: String) -> String? {
        let (wholeURL, hostPart): (CUnsignedInt, CUnsignedInt) = (0, 5)
        let url = function("curl_url", as: Make.self)()
        var host: UnsafeMutablePointer<CChar>?
        defer {
            function("curl_url_cleanup", as: Free.self)(url)
            free(host)
        }
        guard function("curl_url_set", as: Set.self)(url, wholeURL, text, 0) == 0,
            function("curl_url_get", as: Get.self)(url, hostPart, &host, 0) == 0
        else { return nil }
        return host.map { String(cString: $0) }
    }
}

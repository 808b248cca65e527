import Glibc

/// Looks up a host's addresses by getaddrinfo(3), as the daemon's connections do.
enum NameLookUp {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let maximumAddresses = 4

    /// The host's first addresses, at most four, in the order in which they are tried.
    static func addresses(of host: String) -> Result<[String], Failure> {
        // The entries of getaddrinfo's list exist until it is freed, and getnameinfo gets the size of the text.
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else { return .failure(Failure(description: unsafe String(cString: gai_strerror(result)))) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < maximumAddresses {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(text.count)
            if unsafe getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0
            {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }
}

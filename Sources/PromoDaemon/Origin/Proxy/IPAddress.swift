import Glibc

/// An IPv4 or IPv6 address.
struct IPAddress: Equatable, Sendable {
    /// The address in network order, 4 or 16 bytes.
    private let bytes: [UInt8]

    /// The number of bits, 32 or 128.
    var bits: Int { bytes.count * 8 }

    /// Reads the usual notation, for IPv6 without brackets; nil for anything else.
    init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            // inet_pton fills as many bytes as an address of the family has.
            if unsafe inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Whether the first bits are those of a network of the same family.
    func isInNetwork(_ network: IPAddress, length: Int) -> Bool {
        guard bits == network.bits else { return false }
        return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
            let count = min(max(length - index * 8, 0), 8)
            let mask = ~(UInt8.max >> count)
            return count == 0 || pair.0 & mask == pair.1 & mask
        }
    }
}

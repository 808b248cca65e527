/// Bytes that replies share, so that a thousand unread replies take no more memory than one.
package final class SharedBytes: Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Creates bytes to share.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

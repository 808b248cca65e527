package import PromoCore
import PromoWire

extension OutputQueue {
    /// All bytes, including shared ones.
    package var text: [UInt8] {
        var (queue, text) = (self, [UInt8]())
        queue.drain { bytes in
            text.append(copying: bytes)
            return bytes.count
        }
        return text
    }
}

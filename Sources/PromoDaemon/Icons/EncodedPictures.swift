import PromoCore
import PromoWire

/// The encoded pictures that unsent replies still refer to, so that replies share them.
struct EncodedPictures {
    private final class Entry {
        weak var base64: SharedBytes?
    }

    /// The pictures by digest.
    private var entries: [String: Entry] = [:]

    /// A picture in base64; nil if it cannot be read.
    mutating func base64(of icon: StoredIcon, read: () -> [UInt8]?) -> SharedBytes? {
        if let shared = entries[icon.digest]?.base64 { return shared }
        guard let bytes = read() else { return nil }
        let shared = SharedBytes(Base64.encode(bytes))
        entries = entries.filter { $1.base64 != nil }
        let entry = Entry()
        entry.base64 = shared
        entries[icon.digest] = entry
        return shared
    }
}

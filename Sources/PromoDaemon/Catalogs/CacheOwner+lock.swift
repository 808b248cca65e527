import PromoWire

/// The text of a lock: the process id of its holder and the name of its machine, each on a line.
///
/// In a shared home any program may have written it, so a line that is not well-formed counts as missing.
extension CacheOwner {
    static let maximumText = 128
    /// The longest name of a machine, as Linux limits it.
    private static let maximumHost = 64

    /// Reads the text.
    /// - Parameter here: the name of this machine.
    init(lockText: [UInt8], here: String = ProcessSetup.hostName) {
        let lines = lockText.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let number = lines[0].allSatisfy(\.isDigit) ? Int32(String(decoding: lines[0], as: UTF8.self)) : nil
        let name = lines.count > 1 ? lines[1] : []
        let isName = (1...Self.maximumHost).contains(name.count) && name.allSatisfy(Self.isNameByte)
        let host = isName ? String(decoding: name, as: UTF8.self) : nil
        self.init(pid: number.flatMap { $0 > 0 ? Int($0) : nil }, host: host == here ? nil : host, isHere: host == here)
    }

    static func lockText(pid: Int32) -> [UInt8] { Array("\(pid)\n\(ProcessSetup.hostName)\n".utf8) }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: byte.isDigit
        }
    }
}

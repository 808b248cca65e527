import Glibc
import PromoTestSupport

/// The other end of a client's connection. It does only what the test says, and never waits.
final class Peer {
    /// The smallest buffer of a socket, for the kernel raises what is less.
    static let smallest: Int32 = 1

    /// Its end of the connection.
    let descriptor: Int32
    /// Everything that was read.
    private(set) var bytes: [UInt8] = []
    /// The number of whole lines in it.
    private(set) var count = 0
    /// Whether the connection has ended, orderly or not.
    private(set) var isEnded = false
    private var isClosed = false

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to a listening socket.
    init(connectingTo path: String) throws {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard UnixSocket.withAddress(path, { [descriptor] in Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw TestFailure("cannot connect: errno \(errno)")
        }
    }

    /// A peer and the descriptor for the server, which closes it.
    /// - Parameter buffer: about how many bytes of replies the kernel holds; nil for its own default.
    static func pair(buffer: Int32? = nil) throws -> (Peer, Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestFailure("no socket pair: errno \(errno)") }
        if var buffer {
            let length = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(ends[0], SOL_SOCKET, SO_RCVBUF, &buffer, length)
            setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &buffer, length)
        }
        return (Peer(descriptor: ends[0]), ends[1])
    }

    deinit {
        hangUp()
    }

    // MARK: Writing

    /// Offers bytes to the kernel.
    /// - Returns: how many it took.
    func offer(_ bytes: some Collection<UInt8>) -> Int {
        let count = Array(bytes).withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        return max(count, 0)
    }

    /// Sends a text; false if the kernel did not take all of it.
    @discardableResult
    func send(_ text: String) -> Bool {
        offer(text.utf8) == text.utf8.count
    }

    /// Ends its input, and still reads.
    func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes its end. If there is something that it has not read, the server's next read fails with ECONNRESET.
    func hangUp() {
        guard !isClosed else { return }
        // A process that another test starts at this moment has the descriptor until its exec, which would put off the hang-up.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        isClosed = true
    }

    // MARK: Reading

    /// Reads what is there, up to a number of bytes.
    func read(_ maximum: Int = .max) {
        var buffer = [UInt8](repeating: 0, count: min(maximum, 65_536))
        var rest = maximum
        while rest > 0, !isEnded {
            let count = recv(descriptor, &buffer, min(rest, buffer.count), 0)
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
            if count <= 0 { isEnded = true }
            let piece = buffer[..<max(count, 0)]
            bytes += piece
            self.count += piece.count { $0 == UInt8(ascii: "\n") }
            rest -= max(count, 0)
        }
    }

    /// How many bytes wait to be read.
    var unread: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Everything that was read, as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The whole lines that were read.
    var lines: [String] { bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) } }

    /// Whether what was read ends with a whole line.
    var isAtEndOfLine: Bool { bytes.isEmpty || bytes.last == UInt8(ascii: "\n") }

    /// The ids of the replies that were read, and the numbers of the events.
    var marks: [String] { lines.map(Self.mark) }

    /// `reply 7` or `event 3` for a line.
    private static func mark(_ line: String) -> String {
        func numbers(after key: String) -> [String] {
            line.split(separator: key).dropFirst().map { String($0.prefix { $0.isNumber }) }
        }
        if line.contains(#""method":"event""#) {
            let kind = line.contains(#""event":"lagged""#) ? "lagged" : "event"
            return "\(kind) \(numbers(after: #""seq":"#).first ?? "?")"
        }
        // An app has an id too, which is no number.
        let ids = numbers(after: #""id":"#).filter { !$0.isEmpty }
        return "reply \(ids.first ?? "?")"
    }
}

/// Lines of requests.
enum Ask {
    /// A line that is answered at once, with a kept reply.
    static func list(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"list"}"# + "\n" }

    /// A line that is answered in its turn.
    static func plain(_ id: Int) -> String { call(id, "list", #"{"limit":1,"wait":true}"#) }

    /// A line that causes an event.
    static func tap(_ id: Int) -> String { call(id, "tap", #"{"app":"finebill"}"#) }

    /// A line that begins a subscription.
    static func subscribe(_ id: Int, _ parameters: String = "{}") -> String { call(id, "subscribe", parameters) }

    /// A line with a method and its parameters.
    static func call(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n"
    }

    /// Many lines with the ids from 1 on.
    static func many(_ count: Int, _ line: (Int) -> String) -> String { (1...count).map(line).joined() }
}

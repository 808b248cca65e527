import CLinux
import Dispatch
import Glibc
import PromoSystem
import PromoWire

/// Starts the promod that comes with an app, when nobody listens at the socket.
struct ProgramStart: Sendable {
    /// When promod was started for a socket.
    struct Record {
        private static let (maximum, span) = (3, Duration.seconds(10))

        /// How often it has succeeded.
        private(set) var successes = 0
        private var times: [SuspendingClock.Instant] = []
        private var isSwitchedOff = false

        /// Whether it may be started now: at most three times in ten seconds, and not if the person has switched it off.
        mutating func mayStart(now: SuspendingClock.Instant) -> Bool {
            times.removeAll { $0.duration(to: now) > Self.span }
            guard times.count < Self.maximum, !isSwitchedOff else { return false }
            times.append(now)
            return true
        }

        mutating func ended(_ code: Int32) {
            if code == 0 { successes += 1 }
            isSwitchedOff = code == ProgramStart.switchedOff
        }
    }

    /// The exit code of promod where the person or the administrator wants none in the background.
    private static let switchedOff: Int32 = 77

    private static let records = Guarded<[String: Record]>([:])
    /// Lets one thread start it at a time.
    private static let turn = DispatchSemaphore(value: 1)

    /// The program that the app names; nil for none.
    let program: String?

    /// Starts promod, and returns when clients can be served.
    /// - Parameter socket: the path of the socket; nil for the default.
    /// - Returns: false if it is not started.
    /// - Throws: ``PromoError`` with what promod says.
    func run(
        for socket: String?, until deadline: Deadline, _ interruption: Interruption
    ) throws(PromoError) -> Bool {
        let (key, variable) = (socket ?? "", ProcessEnvironment().variables["PROMOD_PROGRAM"])
        guard promod_is_secure() == 0,
            let program = try Self.find(variable, program, executable: try? String(targetOf: "/proc/self/exe"))
        else { return false }
        let before = Self.records.withLock { $0[key]?.successes ?? 0 }
        guard Self.turn.wait(timeout: deadline.dispatchTime) == .success else { throw .timedOut(key) }
        defer { Self.turn.signal() }
        let mayStart: Bool? = Self.records.withLock { records in
            // Another thread has started it meanwhile.
            if records[key, default: Record()].successes > before { return nil }
            return records[key, default: Record()].mayStart(now: .now)
        }
        guard let mayStart else { return true }
        guard mayStart else { return false }
        let (output, code) = try Self.run(
            program, socket.map { ["PROMOD_SOCKET": $0] } ?? [:], until: deadline, interruption)
        Self.records.withLock { $0[key]?.ended(code) }
        guard code != 0 else { return true }
        let text = String(decoding: output, as: UTF8.self).printable.messageLines.joined(separator: " ")
        throw PromoError(.daemonUnreachable, message: "\(program) cannot serve this app (\(code)): \(text)")
    }

    /// The program to start, from places that the app or the user decides: what lies beside an executable in `/usr/bin` need not be the
    /// app's. nil if none is there.
    /// - Throws: ``PromoError`` that names the one that is there, if others can change it.
    static func find(_ variable: String?, _ program: String?, executable: String?) throws(PromoError) -> String? {
        if variable == "none" { return nil }
        var refusal: String?
        for path in [variable, program, executable.map { $0.directory.directory + "/libexec/promod" }] {
            guard let path, path.hasPrefix("/"), let status = stat(of: path), status.kind == S_IFREG else { continue }
            let isOfOther = ![0, geteuid()].contains(status.st_uid)
            if !isOfOther && status.st_mode & 0o022 == 0 { return path }
            let reason = isOfOther ? "it belongs to another user" : "others may write it; chmod go-w \(path)"
            refusal = refusal ?? "\(path) is not used: \(reason)"
        }
        guard let refusal else { return nil }
        throw PromoError(.daemonUnreachable, message: "promod cannot be reached, and \(refusal).")
    }

    /// Runs a program to its end.
    /// - Returns: what it has written, and its exit code; 0 if another part of this program, such as GLib, has taken that.
    private static func run(
        _ program: String, _ variables: [String: String], until deadline: Deadline, _ interruption: Interruption
    ) throws(PromoError) -> (output: [UInt8], code: Int32) {
        let (ours, theirs) = SocketPair.open()
        defer { close(ours) }
        let child: Subprocess
        do throws(Subprocess.Failure) {
            defer { close(theirs) }
            child = try Subprocess(
                [program, "--background"], output: .descriptor(theirs, withErrors: true), setting: variables)
        } catch {
            throw PromoError(.daemonUnreachable, message: "promod cannot be started: \(error.description).")
        }
        var (output, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        let poller = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = interruption.wait(for: [poller], until: deadline)
            guard ready?[0] == true else {
                // Without a wait, the process stays a zombie after its end.
                DispatchQueue(label: "CrossPromoKit.started").async { _ = child.wait() }
                throw ready == nil ? .cancelled : .timedOut(program)
            }
            let count = Descriptor.read(from: ours, into: &buffer)
            guard count > 0 else { return (output, child.wait() ?? 0) }
            output += buffer[..<count]
        }
    }
}

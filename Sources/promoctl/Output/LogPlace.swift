import PromoProcess

/// Where a running promod logs.
enum LogPlace: Equatable {
    /// In the journal, under this unit of the user's systemd.
    case unit(String)
    /// In the journal, under no unit of its own.
    case journal(pid: Int)
    /// A sentence that says where.
    case elsewhere(String)

    /// Finds out from `/proc` where a process logs.
    init(ofProcess pid: Int) {
        self.init(
            pid: pid, controlGroup: OtherProcess.text("cgroup", of: pid) ?? "",
            standardError: try? String(resolving: "/proc/\(pid)/fd/2"))
    }

    /// - Parameters:
    ///   - controlGroup: the process's `/proc/PID/cgroup`.
    ///   - standardError: what its descriptor 2 is; nil if that cannot be found out.
    init(pid: Int, controlGroup: String, standardError: String?) {
        let last = controlGroup.split(whereSeparator: { $0 == "\n" || $0 == "/" }).last.map(String.init) ?? ""
        let who = "promod (pid \(pid)) was not started by systemd"
        if last.hasSuffix(".service"), !last.hasPrefix("user@") {
            self = .unit(last)
        } else if let standardError, standardError.hasPrefix("socket:") {
            self = .journal(pid: pid)
        } else if let standardError, standardError.hasPrefix("/"), standardError != "/dev/null" {
            self = .elsewhere("\(who). It logs to \(standardError).")
        } else if standardError == "/dev/null" {
            self = .elsewhere("\(who), and its standard error was sent to /dev/null, so its log is lost.")
        } else {
            self = .elsewhere("\(who). It logs to the standard error that it was started with.")
        }
    }
}

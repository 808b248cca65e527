import Glibc
import PromoProcess

/// What tells a file from the one that was there before: any write or replacement changes at least one of these.
struct FileIdentity: Equatable, Sendable {
    private let device, inode, size: Int64
    private let modified, changed: [UInt8]

    init?(of path: String) {
        guard let status = stat(of: path) else { return nil }
        self.init(of: status)
    }

    init(of status: stat) {
        device = Int64(truncatingIfNeeded: status.st_dev)
        inode = Int64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        // As bytes, because a release build does not see the members of a time.
        modified = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe Array($0) }
        changed = unsafe withUnsafeBytes(of: status.st_ctim) { unsafe Array($0) }
    }
}

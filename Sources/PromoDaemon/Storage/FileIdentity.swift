import Glibc
import PromoProcess

/// Distinguishes a file from an earlier one at its path: any write or replacement changes at least one of these members.
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
        // As bytes, because a release build cannot access the members of a time.
        modified = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe Array($0) }
        changed = unsafe withUnsafeBytes(of: status.st_ctim) { unsafe Array($0) }
    }
}

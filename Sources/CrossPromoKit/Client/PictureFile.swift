package import FoundationEssentials
import Glibc
import PromoSystem
package import PromoWire

/// The file of an app's picture.
enum PictureFile {
    /// The largest picture that promod keeps, in bytes.
    private static let maximumBytes = 512 * 1024

    /// The picture's bytes; nil if the file cannot be read, as in a sandbox, or if its size shows that promod did not write it.
    static func read(_ file: URL?) -> Data? {
        guard let path = file?.path else { return nil }
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let size = stat(of: descriptor)?.st_size, (1...maximumBytes).contains(size) else { return nil }
        var buffer = [UInt8](repeating: 0, count: size)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        return count == size ? Data(buffer) : nil
    }
}

extension DaemonClient {
    /// How long a list is not drawn because pictures are not there yet.
    package static let picturePatience = Duration.seconds(3)

    /// The pictures of apps, by id. Blocks until promod has sent those that are missing, or whose files cannot be read here, as in
    /// a sandbox, or until the end of the patience.
    package func pictures(
        of apps: some Sequence<PromoApp>, host: String? = nil, catalog: CatalogReference?,
        within patience: Duration = picturePatience
    ) -> [String: Data] {
        let end = SuspendingClock.now + patience
        var pictures: [String: Data] = [:]
        for app in apps {
            pictures[app.id] =
                PictureFile.read(app.iconFile) ?? icon(of: app.id, host: host, catalog, until: end)?.picture
        }
        return pictures
    }

    /// An app's picture from promod, which fetches a missing one; nil also if it comes too late, because a placeholder is shown then.
    package func icon(
        of app: String, host: String? = nil, _ catalog: CatalogReference?, until end: SuspendingClock.Instant
    ) -> IconResult? {
        let rest = end - .now
        guard rest > .zero else { return nil }
        let icon = Request.Method.command(.icon(app: app, host: host, wait: true))
        return try? ask(icon, of: catalog, timeout: rest, reading: IconResult.init)
    }
}

extension IconResult {
    /// The picture's bytes; nil if there is none.
    var picture: Data? { data.flatMap { Data(base64Encoded: Data($0.bytes)) } }
}

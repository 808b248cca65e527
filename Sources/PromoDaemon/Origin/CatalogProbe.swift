import Dispatch
import NIOCore
import NIOPosix
package import PromoWire
import Synchronization

/// Fetches a catalog once, with the daemon's own means, for somebody who waits.
package struct CatalogProbe: Sendable {
    private let configuration: Configuration

    /// A probe that fetches as a daemon with this configuration does.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// The bytes at an address, which need not be a catalog; blocks until they are there.
    package func fetch(_ url: HTTPSURL) throws(Failure) -> [UInt8] {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { try? group.syncShutdownGracefully() }
        let reply = Mutex<OriginReply?>(nil)
        let done = DispatchSemaphore(value: 0)
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: configuration.caFile,
            maximumBytes: configuration.maximumBytes, timeout: configuration.timeout)
        _ = HTTPSOrigin(group: group).fetch(request) { answer in
            reply.withLock { $0 = answer }
            done.signal()
        }
        done.wait()
        switch reply.withLock({ $0 }) {
        case .body(let bytes, _): return bytes
        case .failed(let failure, _, _): throw failure
        case .notModified, nil: throw Failure(.httpStatus, "The origin answered a question that nobody asked.")
        }
    }
}

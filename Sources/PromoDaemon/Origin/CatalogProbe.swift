import Dispatch
package import PromoCore
package import PromoWire
import Synchronization

/// Fetches a catalog once, with the daemon's own means, for somebody who waits.
package struct CatalogProbe: Sendable {
    /// Why there are no bytes.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// Whether asking again later is of no use.
        package let isLasting: Bool
    }

    private let configuration: Configuration
    private let now: @Sendable () -> Timestamp

    /// A probe that fetches as a daemon with this configuration does.
    package init(_ configuration: Configuration, now: @escaping @Sendable () -> Timestamp) {
        self.configuration = configuration
        self.now = now
    }

    /// The bytes at an address, which need not be a catalog, and what they came with; blocks until they are there.
    package func fetch(_ url: HTTPSURL) throws(Refusal) -> (bytes: [UInt8], validators: Validators) {
        let reply = Mutex<OriginReply?>(nil)
        let done = DispatchSemaphore(value: 0)
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: configuration.caFile,
            maximumBytes: configuration.maximumBytes, timeout: configuration.timeout)
        _ = HTTPSOrigin().fetch(request) { answer in
            reply.withLock { $0 = answer }
            done.signal()
        }
        done.wait()
        switch reply.withLock({ $0 }) {
        case .body(let bytes, let validators):
            return (bytes, validators)
        case .failed(let failure, _, _):
            let isUntrusted = failure == FetchFailures.untrusted(url)
            throw Refusal(
                failure: isUntrusted ? certificateProblem(url) ?? failure : failure,
                isLasting: reply.withLock { $0?.isLasting ?? false })
        case .notModified, nil:
            throw Refusal(
                failure: Failure(.httpStatus, "The origin answered a question that nobody asked."), isLasting: true)
        }
    }

    private func certificateProblem(_ url: HTTPSURL) -> Failure? {
        CertificateInspection().certificate(of: url).map {
            Failure(
                .tls, CertificateProblem(certificate: $0, place: "\(url.host):\(url.port)", now: now()).message)
        }
    }
}

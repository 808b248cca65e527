import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PromoWire

/// Reads the certificate of a server that is not trusted, over a connection on which nothing is sent.
struct CertificateInspection {
    private static let timeout = TimeAmount.seconds(5)

    // Never shut down: a name lookup can outlive its connection, and NIO allows no report to a loop that is gone.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The server's certificate; nil if it cannot be read. Blocks for at most 10 s.
    func certificate(of url: HTTPSURL) -> CertificateProblem.Certificate? {
        var tls = TLSConfiguration.makeClientConfiguration()
        // The certificate is only used to explain to a person why it is not trusted.
        tls.certificateVerification = .none
        guard let context = try? NIOSSLContext(configuration: tls) else { return nil }
        let found = Self.group.next().makePromise(of: CertificateProblem.Certificate?.self)
        let bracketless = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        let isName = (try? SocketAddress(ipAddress: bracketless, port: 0)) == nil
        let connection = ClientBootstrap(group: Self.group).connectTimeout(Self.timeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: isName ? bracketless : nil)
                    try channel.pipeline.syncOperations.addHandlers([handler, Reader(found: found)])
                }
            }
            .connect(host: bracketless, port: url.port)
        connection.whenFailure { _ in found.succeed(nil) }
        connection.whenSuccess { channel in
            channel.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
        }
        return try? found.futureResult.wait()
    }

    /// Waits for the handshake, reads the certificate and closes the connection.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = Any

        private let found: EventLoopPromise<CertificateProblem.Certificate?>

        init(found: EventLoopPromise<CertificateProblem.Certificate?>) {
            self.found = found
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted = event else { return }
            let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            found.succeed(handler?.peerCertificate.map(CertificateProblem.Certificate.init))
            context.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            found.succeed(nil)
        }
    }
}

extension CertificateProblem.Certificate {
    fileprivate init(_ certificate: NIOSSLCertificate) {
        self.init(
            notBefore: Timestamp(seconds: Int64(certificate.notValidBefore)),
            notAfter: Timestamp(seconds: Int64(certificate.notValidAfter)),
            subject: certificate.subjectName.map { OutsideText($0.value) },
            issuer: certificate.issuerName.map { OutsideText($0.value) })
    }
}

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import PromoCore
import PromoWire

/// Puts the errors of the network libraries into the protocol's words.
enum FetchFailures {
    /// The failure that an error means for a fetch from an address.
    static func failure(for error: any Error, url: HTTPSURL) -> Failure {
        switch error {
        case let error as BodyTooLarge:
            tooLarge(url, limit: error.limit)
        case let error as HTTPClientError:
            failure(for: error, url: url)
        case let error as NIOConnectionError:
            failure(for: error, url: url)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            Failure(
                .tls, "The TLS handshake with \(url.host) failed: \(brief(error)). Is its certificate trusted here?")
        case let error as NIOHTTPDecompression.DecompressionError where error == .limit:
            Failure(.tooLarge, "The catalog at \(url) is larger than catalog.max-bytes after decompression.")
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            Failure(.encoding, "The answer of \(url) is no valid gzip.")
        case is HTTPParserError:
            Failure(.httpStatus, "The answer of \(url) is no HTTP.")
        case is ChannelError:
            Failure(.connect, "Cannot connect to \(url.host):\(url.port): \(brief(error)).")
        default:
            Failure(.connect, "The connection to \(url.host):\(url.port) broke: \(brief(error)).")
        }
    }

    private static func failure(for error: HTTPClientError, url: HTTPSURL) -> Failure {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
            Failure(.timeout, "\(url.host) did not answer completely within refresh.timeout.")
        case .connectTimeout:
            Failure(.connect, "\(url.host):\(url.port) did not accept a connection within 10 s.")
        case .tlsHandshakeTimeout:
            Failure(.tls, "\(url.host) did not finish the TLS handshake within 10 s.")
        case .remoteConnectionClosed:
            Failure(.connect, "\(url.host) closed the connection before its answer was complete.")
        case .cancelled:
            Failure(.connect, "The fetch was given up.")
        default:
            Failure(.connect, "Cannot fetch \(url): \(error.shortDescription).")
        }
    }

    private static func failure(for error: NIOConnectionError, url: HTTPSURL) -> Failure {
        guard let first = error.connectionErrors.first else {
            return Failure(.dns, "The name \(url.host) cannot be resolved.")
        }
        let reason = (first.error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? brief(first.error)
        return Failure(.connect, "Cannot connect to \(url.host):\(url.port): \(reason).")
    }

    private static func tooLarge(_ url: HTTPSURL, limit: Int) -> Failure {
        Failure(.tooLarge, "The catalog at \(url) is larger than catalog.max-bytes, \(limit).")
    }

    /// An error's description, which a library may have made long.
    private static func brief(_ error: any Error) -> String {
        String("\(error)".prefix(200))
    }
}

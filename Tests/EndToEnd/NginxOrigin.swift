import Foundation
import Glibc
import PromoTestSupport

/// A real HTTPS origin: Debian's nginx, with a certificate of a CA that the test makes.
final class NginxOrigin {
    let scratch: ScratchDirectory
    private let loopback: LoopbackPort
    private var process: ChildProcess?

    var port: Int { loopback.number }
    var caFile: String { scratch("ca.pem") }
    /// With which a daemon keeps its catalog as the default one.
    var settings: [String: String] { ["catalog-url": url, "network.ca-file": caFile] }
    /// The file with which a daemon keeps its catalog.
    var dropIn: String { "url = \"\(url)\"\nca-file = \"\(caFile)\"\n" }
    var url: String { "https://localhost:\(port)/catalog.json" }

    /// Starts nginx with `locations` in its server block and `names` in its certificate.
    init(locations: String = "", names: String = "DNS:localhost,IP:127.0.0.1") throws {
        scratch = try ScratchDirectory()
        loopback = try LoopbackPort()
        try makeCertificates(names)
        try scratch.write("nginx.conf", configuration(locations))
        try FileManager.default.createDirectory(atPath: scratch("www"), withIntermediateDirectories: true)
        try publish(SampleFile.text)
        try start()
    }

    deinit {
        stop()
    }

    /// Publishes a catalog at ``url``.
    func publish(_ text: String) throws {
        try scratch.write("www/catalog.json", text)
    }

    func start() throws {
        // nginx inherits the listening socket, as it does when one binary takes over from another, so that clients may connect at
        // once.
        let listener = try loopback.listen()
        defer { close(listener) }
        process = try ChildProcess(
            ["nginx", "-p", scratch.path, "-c", scratch("nginx.conf")], environment: ["NGINX": "3;"],
            descriptors: [(listener, 3)])
    }

    func stop() {
        process?.signal(SIGTERM)
        process?.wait()
        process = nil
    }

    /// The requests that it served: method and path, status, and the rest of the log format.
    var log: [String] {
        scratch.read("access.log").split(separator: "\n").map(String.init)
    }

    private func configuration(_ locations: String) -> String {
        """
        daemon off; worker_processes 1; pid \(scratch("nginx.pid")); error_log \(scratch("error.log"));
        \(getuid() == 0 ? "user root;" : "")
        events { worker_connections 128; }
        http {
            log_format short '$request_method $request_uri $status $http_user_agent gzip=$gzip_ratio authorization=$http_authorization';
            access_log \(scratch("access.log")) short;
            client_body_temp_path \(scratch("body")); proxy_temp_path \(scratch("proxy"));
            fastcgi_temp_path \(scratch("fastcgi")); uwsgi_temp_path \(scratch("uwsgi")); scgi_temp_path \(scratch("scgi"));
            types { application/json json; }
            gzip on; gzip_types application/json; gzip_min_length 100;
            server {
                listen 127.0.0.1:\(port) ssl;
                server_name localhost;
                ssl_certificate \(scratch("server.pem")); ssl_certificate_key \(scratch("server.key"));
                root \(scratch("www"));
                \(locations)
            }
        }
        """
    }

    private func makeCertificates(_ names: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=promod test CA", "-keyout", scratch("ca.key"), "-out", caFile)
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
            "-keyout", scratch("server.key"), "-out", scratch("server.csr"))
        try scratch.write("names", "subjectAltName=" + names)
        try openssl(
            "x509", "-req", "-in", scratch("server.csr"), "-CA", caFile, "-CAkey", scratch("ca.key"), "-CAcreateserial",
            "-days", "2", "-extfile", scratch("names"), "-out", scratch("server.pem"))
    }

    private func openssl(_ arguments: String...) throws {
        let (end, _, error) = try ChildProcess.run(["openssl"] + arguments)
        guard end == .exited(0) else { throw TestFailure("openssl: \(error)") }
    }
}

/// The catalog that ships with promod, and variants of it.
enum SampleFile {
    static var text: String {
        let url = repository.appending(path: "Sources/PromoCore/Catalog/sample.json")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }

    static var renamed: String { text.replacingOccurrences(of: "FineBill", with: "FineBill Pro") }
}

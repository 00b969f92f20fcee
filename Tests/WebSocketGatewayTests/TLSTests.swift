import MusterTestSupport
import Testing

@testable import MusterWire
@testable import WebSocketGateway

@Suite("TLS", .serialized, .blocking)
struct TLSTests {
    static func makeCertificate(in folder: borrowing TemporaryFolder) throws -> GatewayConfiguration.TLS {
        let tls = GatewayConfiguration.TLS(
            certificateFile: folder.path + "/cert.pem",
            keyFile: folder.path + "/key.pem"
        )
        try Tool.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", tls.keyFile, "-out", tls.certificateFile,
            ]
        )
        return tls
    }

    /// A client with another TLS library: handshake, then messages in both directions with their sizes printed.
    private static let client = """
        import ssl, socket, sys, os, base64, struct
        port, certificate = int(sys.argv[1]), sys.argv[2]
        context = ssl.create_default_context(cafile=certificate)
        s = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1")
        s.settimeout(10)
        s.sendall(("GET /v1/ws HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
            "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: %s\\r\\nSec-WebSocket-Protocol: muster.v1\\r\\n"
            "Origin: https://127.0.0.1:%d\\r\\n\\r\\n"
            % (port, base64.b64encode(os.urandom(16)).decode(), port)).encode())
        f = s.makefile("rb")
        print(f.readline().split()[1].decode())
        while f.readline().strip(): pass
        for n in (5, 300, 60000):
            p = b"m" * n
            h = bytes([0x81]) + (bytes([0x80 | n]) if n < 126 else bytes([0xFE]) + struct.pack(">H", n))
            s.sendall(h + b"\\0\\0\\0\\0" + p)
            b = f.read(2)
            l = b[1] if b[1] < 126 else struct.unpack(">H", f.read(2))[0]
            print(l, f.read(l) == p)
        # A ping that the server reads in two parts, of which the second is all that is left of the record.
        good = 0
        for rest in range(1, 106):
            n = 96 + rest if rest < 30 else 94 + rest
            p = b"m" * n
            h = bytes([0x81]) + (bytes([0x80 | n]) if n < 126 else bytes([0xFE]) + struct.pack(">H", n))
            s.sendall(h + b"\\0\\0\\0\\0" + p + b"\\x89\\xe4\\0\\0\\0\\0" + b"p" * 100)
            got = set()
            for _ in range(2):
                b = f.read(2)
                l = b[1] if b[1] < 126 else struct.unpack(">H", f.read(2))[0]
                got.add((b[0], f.read(l)))
            good += got == {(0x81, p), (0x8A, b"p" * 100)}
        print(good)
        """

    @Test("frames of all sizes flow through TLS")
    func frames() throws {
        let folder = try TemporaryFolder()
        let tls = try Self.makeCertificate(in: folder)
        let harness = try GatewayHarness { $0.tls = tls }
        let output = try Tool.run(
            "/usr/bin/env",
            ["python3", "-c", Self.client, "\(harness.port)", tls.certificateFile]
        ).output
        #expect(output == "101\n5 True\n300 True\n60000 True\n105\n")
    }

    @Test("old suites, groups and versions are not agreed on, and those of every browser are")
    func parameters() throws {
        let folder = try TemporaryFolder()
        let tls = try Self.makeCertificate(in: folder)
        let harness = try GatewayHarness { $0.tls = tls }
        let refused = [
            "-tls1_2 -cipher AES128-GCM-SHA256", "-tls1_2 -cipher AES256-SHA256", "-tls1_2 -cipher AES128-SHA",
            "-tls1_2 -cipher ECDHE-RSA-AES128-SHA256", "-tls1_2 -cipher ECDHE-RSA-AES256-SHA384",
            "-tls1_2 -cipher ECDHE-RSA-AES128-SHA", "-tls1_2 -cipher ECDHE-RSA-AES256-SHA",
            "-tls1_2 -cipher aRSA+CAMELLIA",
            "-tls1_3 -groups X448", "-tls1_3 -groups P-521", "-tls1_2 -groups P-521", "-tls1_3 -groups ffdhe2048",
            "-tls1_1 -cipher DEFAULT@SECLEVEL=0", "-tls1 -cipher DEFAULT@SECLEVEL=0",
        ]
        let taken = [
            "-tls1_3", "-tls1_2", "-tls1_3 -groups X25519", "-tls1_3 -groups P-256", "-tls1_2 -groups P-384",
            "-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256", "-tls1_2 -cipher ECDHE-RSA-CHACHA20-POLY1305",
            "-tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256",
        ]
        for (options, isTaken) in refused.map({ ($0, false) }) + taken.map({ ($0, true) }) {
            let arguments = ["s_client", "-connect", "127.0.0.1:\(harness.port)", "-CAfile", tls.certificateFile]
            let run = try Tool.run("/usr/bin/openssl", arguments + options.split(separator: " ").map(String.init))
            // A failed handshake without a certificate has "Verify return code: 0" too.
            let isAgreed = run.output.contains("Cipher is ") && !run.output.contains("Cipher is (NONE)")
            #expect(isAgreed == isTaken, "\(options): \(run.output.suffix(300))")
            #expect((run.status == 0) == isTaken, "\(options)")
            if isTaken { #expect(run.output.contains("Verify return code: 0"), "\(options)") }
        }
    }

    @Test("a certificate that is missing or none is an error at the start, not at each connection")
    func badCertificate() throws {
        let folder = try TemporaryFolder()
        try folder.write("no certificate", to: "cert.pem")
        let path = folder.path
        for (name, code) in [("nowhere.pem", GatewayError.Code.invalidConfiguration), ("cert.pem", .contextFailed)] {
            let error = #expect(throws: GatewayError.self) {
                let harness = try GatewayHarness {
                    $0.tls = .init(certificateFile: "\(path)/\(name)", keyFile: "\(path)/\(name)")
                }
                _ = harness.port
            }
            #expect(error?.code == code)
        }
    }
}

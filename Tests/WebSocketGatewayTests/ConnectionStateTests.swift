import CLibWebSockets
import EventLoop
import MusterTestSupport
import Synchronization
import Testing

@testable import MusterClient
@testable import WebSocketGateway

@Suite("No state of a connection lasts for ever", .blocking)
struct ConnectionStateTests {
    /// The bytes that a client sends before it falls silent.
    struct Silence: Sendable, CustomStringConvertible {
        let description: String
        let bytes: String
        var speaksTLS = false
    }

    private static let upgrade =
        "GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: muster.v1\r\n\r\n"

    private static let states = [
        Silence(description: "connected", bytes: ""),
        Silence(description: "half a request line", bytes: "GET /v1"),
        Silence(description: "half a head", bytes: "GET /v1/x HTTP/1.1\r\nHost: x\r\n"),
        Silence(
            description: "a head whose body does not come",
            bytes: "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
        ),
        Silence(
            description: "half a chunked body",
            bytes: "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab"
        ),
        Silence(description: "answered and kept", bytes: "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n"),
        Silence(
            description: "half a second head",
            bytes: "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/y HTTP/1.1\r\n"
        ),
        Silence(description: "refused", bytes: "GET //x HTTP/1.1\r\nHost: x\r\n\r\n"),
        Silence(description: "a tunnel", bytes: "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n"),
        Silence(description: "a WebSocket without hello", bytes: Self.upgrade),
        Silence(description: "a WebSocket with half a frame", bytes: Self.upgrade + "\u{1}"),
        Silence(description: "no handshake of TLS", bytes: "", speaksTLS: true),
        Silence(description: "half a handshake of TLS", bytes: "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0", speaksTLS: true),
    ]

    @Test("whatever a client has sent when it falls silent, its connection ends", arguments: Self.states)
    func silence(_ state: Silence) throws {
        let folder = try TemporaryFolder()
        let tls = state.speaksTLS ? try TLSTests.makeCertificate(in: folder) : nil
        let harness = try GatewayHarness {
            $0.tls = tls
            $0.timing.headSeconds = 1
            $0.timing.idleSeconds = 1
            $0.timing.helloDeadline = 500
            $0.timing.bodySilence = 500
        }
        let client = try BlockingHTTP(port: harness.port)
        try client.sendRaw(Array(state.bytes.utf8))
        try client.waitForEnd(timeout: 20_000)
        #expect(harness.eventually { harness.gateway.metrics.sockets == 0 })
    }

    @Test("a client that does not read its answer is cut off")
    func slowReader() throws {
        let harness = try GatewayHarness { $0.timing.answerDeadline = 500 }
        harness.record.actions.withLock {
            $0.handler = { _ in HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: 30_000_000)) }
        }
        let client = try BlockingSocket(host: "127.0.0.1", port: harness.port, receiveBuffer: 4096)
        try client.send(Array("GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(harness.eventually { harness.gateway.metrics.sockets == 1 })
        #expect(harness.eventually(within: 90_000) { harness.gateway.metrics.sockets == 0 })
    }

    @Test(
        "what libwebsockets tells and the shard does not know ends the connection",
        arguments: [
            LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_RX, LWS_CALLBACK_RAW_WRITEABLE, LWS_CALLBACK_RAW_CONNECTED,
            LWS_CALLBACK_RAW_SKT_BIND_PROTOCOL, LWS_CALLBACK_RAW_PROXY_SRV_RX, LWS_CALLBACK_CGI, LWS_CALLBACK_MQTT_IDLE,
            LWS_CALLBACK_USER,
        ].map(\.rawValue)
    )
    func unknownReason(_ number: UInt32) {
        #expect(!ShardCore.changesNothing(lws_callback_reasons(number)))
    }
}

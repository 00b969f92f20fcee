import EventLoop

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

/// A gateway with the echo application on a free port, stopped at the end of the test.
struct GatewayHarness: ~Copyable {
    let gateway: Gateway<EchoApplication>
    let record = EchoRecord()
    let format = LineFormat()

    init(_ configure: (inout GatewayConfiguration) -> Void = { _ in }) throws {
        try self.init(log: { _ in }, configure)
    }

    init(
        log: @escaping @Sendable (LogEvent) -> Void,
        _ configure: (inout GatewayConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = GatewayConfiguration()
        configuration.limits.connections = 500
        // The clients of all tests are in this process too.
        configuration.limits.reservedDescriptors = 1500
        configuration.timing.resolution = 10
        // Few of the tests' clients send `hello`, and a busy machine is slow for the others.
        configuration.timing.helloDeadline = 120_000
        configure(&configuration)
        let record = self.record
        self.gateway = try Gateway(
            configuration: configuration,
            kinds: [1: self.format],
            log: log,
            makeApplication: { EchoApplication(shard: $0, record: record) }
        )
    }

    deinit { self.gateway.shutDown(farewell: nil, code: .goingAway, timeout: 2000) }

    var port: UInt16 { self.gateway.port }

    func connect(receiveBuffer: Int32? = nil) throws -> BlockingWebSocket {
        try BlockingWebSocket(port: self.port, receiveBuffer: receiveBuffer)
    }

    /// Connects and returns the client with its connection id.
    func connectKnown(receiveBuffer: Int32? = nil) throws -> (client: BlockingWebSocket, id: ConnectionID) {
        let client = try self.connect(receiveBuffer: receiveBuffer)
        try client.send("id")
        let text = try client.nextText()
        guard let number = UInt64(text) else { throw ClientError(.connectionLost, message: text) }
        return (client, ConnectionID(rawValue: number))
    }

    /// Waits until a condition holds that another thread brings about.
    func eventually(within milliseconds: Int64 = 30_000, _ holds: () -> Bool) -> Bool {
        let deadline = MonotonicClock.system.milliseconds + milliseconds
        let pause = WakeSignal()
        while !holds() {
            guard MonotonicClock.system.milliseconds < deadline else { return false }
            pause.wait(timeoutMilliseconds: 5)
        }
        return true
    }
}

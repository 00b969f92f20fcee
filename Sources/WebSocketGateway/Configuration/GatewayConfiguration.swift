package import EventLoop

/// Everything that can be set about a gateway.
package struct GatewayConfiguration: Sendable {
    /// The numbers that keep one client from harming the others.
    package struct Limits: Sendable {
        /// Connections in all.
        package var connections = 10_000
        /// Connections of one address.
        package var connectionsPerAddress = 200
        /// New connections a second of one address, with a burst of ten times as many.
        package var connectsPerSecondPerAddress = 20
        /// Whether 127.0.0.0/8 and ::1 escape the limits per address.
        package var exemptsLoopback = true
        /// Addresses that escape the limits per address, such as those of a proxy.
        package var exemptAddresses: AddressSet = []
        /// Descriptors kept free for files and databases.
        package var reservedDescriptors = 128
        /// Bytes of a WebSocket message; over it: close 1009.
        package var messageBytes = 65_536
        /// Bytes of a request's body where no route says otherwise; over it: 413.
        package var bodyBytes = 65_536
        /// Bytes of single answers that may wait for one connection; over it: close 4413.
        package var queuedBytes = 262_144

        /// The limits of PROTOCOL.
        package init() {}
    }

    /// How long the gateway waits for what.
    package struct Timing: Sendable {
        /// Milliseconds from the handshake to `markEstablished`; then close 4408.
        package var helloDeadline: Int64 = 10_000
        /// Milliseconds between the gateway's pings; after twice as much silence: close 4408.
        package var pingInterval: Int64 = 25_000
        /// Milliseconds in which the client takes not one byte of what waits for it; then close 4413.
        package var writeDeadline: Int64 = 10_000
        /// Seconds in which the first request's head, or the handshake of TLS, has to come; then the connection ends.
        package var headSeconds = 10
        /// Seconds from an answer to the whole head of the next request; then the connection ends.
        package var idleSeconds = 30
        /// Milliseconds from a request's headers to the end of its body; then 408.
        ///
        /// A body that is read as it comes has them again and again while it comes steadily.
        package var bodyDeadline: Int64 = 30_000
        /// Milliseconds in which nothing comes of a body that is awaited; then 408.
        ///
        /// Less than the library's own ten seconds, after which it ends a connection without a word.
        package var bodySilence: Int64 = 8_000
        /// Milliseconds in which the client takes nothing of an answer that waits for it; then it is cut off.
        package var answerDeadline: Int64 = 60_000
        /// Milliseconds of one slot of the timer wheel.
        package var resolution: Int64 = 50

        /// How far apart often-changing parts of one topic are written, by what writing a turn's frames costs.
        ///
        /// The first after a while is written at once, and those that follow in one frame: with little to do a rest lasts for
        /// a millisecond, under load for as long as `TurnPlan` says.
        package var topicPacer = Pacer(share: 12, shortest: 300_000, longest: 25_000_000)

        /// The times of PROTOCOL.
        package init() {}
    }

    /// The certificate and key of a TLS listener, as PEM files.
    package struct TLS: Sendable {
        package var certificateFile: String
        package var keyFile: String

        /// Names the two files.
        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The address to listen on: IPv4 or IPv6, in numbers.
    package var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    package var port: UInt16 = 0
    /// The number of the node, in the ids of its connections and requests.
    package var node: UInt8 = 0
    /// Threads that serve connections.
    package var shards = 1
    /// The processors that these threads are bound to, one each in turn; empty for any.
    package var processors: [Int] = []
    /// The path of the WebSocket endpoint.
    package var webSocketPath = "/v1/ws"
    /// The subprotocols that are spoken, in order of preference.
    package var subprotocols = ["muster.v1", "muster.watch.v1"]
    /// Origins that may connect besides those of the request's own host, such as `https://app.example`.
    package var allowedOrigins: Set<String> = []
    package var limits = Limits()
    package var timing = Timing()
    /// Serves TLS when set.
    package var tls: TLS?
    /// Folders that are served at prefixes; the longest prefix wins.
    package var staticMounts: [StaticMount] = []
    /// Headers added to every HTTP answer, such as `content-security-policy`.
    package var responseHeaders: [(name: String, value: String)] = []
    /// Paths, and beginnings of paths that end in a slash, that the application answers even to `GET`.
    package var applicationPaths = ["/v1/", "/healthz", "/readyz", "/metrics"]
    /// How the body of a request is received, by its method and path; nil for whole, within the usual limit.
    package var bodyReception: @Sendable (HTTPMethod, String) -> BodyReception? = { _, _ in nil }
    /// What the names of the gateway's loops begin with, where a process has several gateways.
    package var loopPrefix = ""
    /// What a client is told to whom no shard can answer, because all have stalled.
    package var stallReport: @Sendable () -> String = { "The server is stalled." }
    /// Headers that the application reads and that libwebsockets has no number for, in lower case.
    package var requestHeaders: [String] = []

    /// Creates a configuration with the defaults.
    package init() {}

    /// Descriptors that are claimed for everything but connections.
    var descriptorsBesideConnections: Int { self.limits.reservedDescriptors + 16 * self.shards }

    /// Descriptors that a gateway claims for itself when it starts.
    package var descriptors: Int { self.limits.connections + self.descriptorsBesideConnections }

    /// Lowers the cap on connections to what the system's hard limit on descriptors leaves room for.
    ///
    /// - Parameter others: descriptors that other gateways of the process are going to claim.
    package mutating func fitConnectionsToDescriptors(besides others: Int = 0) {
        let room = DescriptorLimit.available - self.descriptorsBesideConnections - others
        self.limits.connections = max(1, min(self.limits.connections, room))
    }

    /// The processor for a shard's thread.
    ///
    /// - Parameter index: the shard's number.
    /// - Returns: nil for any processor.
    package func processor(ofShard index: Int) -> Int? {
        self.processors.isEmpty ? nil : self.processors[index % self.processors.count]
    }
}

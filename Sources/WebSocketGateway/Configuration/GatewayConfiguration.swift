import EventLoop

/// The settings of a gateway.
package struct GatewayConfiguration: Sendable {
    /// The limits that protect clients from each other.
    package struct Limits: Sendable {
        /// The maximum number of connections.
        package var connections = 10_000
        /// The maximum number of connections from one address.
        package var connectionsPerAddress = 200
        /// New connections a second from one address, with a burst of ten times as many.
        var connectsPerSecondPerAddress = 20
        /// Whether 127.0.0.0/8 and ::1 are exempt from the limits per address.
        package var exemptsLoopback = true
        /// Addresses that are exempt from the limits per address, such as those of a proxy.
        package var exemptAddresses: AddressSet = []
        /// Descriptors reserved for files and databases.
        package var reservedDescriptors = 128
        /// The maximum size of a WebSocket message in bytes; beyond it: close 1009.
        package var messageBytes = 65_536
        /// The maximum size of a request body in bytes, unless the route sets another limit; beyond it: 413.
        var bodyBytes = 65_536
        /// The maximum number of bytes of direct responses that are queued for one connection; beyond it: close 4413.
        var queuedBytes = 262_144

        /// Creates the protocol's default limits.
        package init() {}
    }

    /// The timeouts and intervals of the gateway.
    package struct Timing: Sendable {
        /// Milliseconds from the handshake to `markEstablished`; then close 4408.
        var helloDeadline: Int64 = 10_000
        /// Milliseconds between the gateway's pings; after twice as much silence: close 4408.
        package var pingInterval: Int64 = 25_000
        /// Milliseconds without progress while output is pending and the client accepts no byte; then close 4413.
        var writeDeadline: Int64 = 10_000
        /// Seconds for the head of the first request or for the TLS handshake; then the connection is closed.
        var headSeconds = 10
        /// Seconds from a response to the complete head of the next request; then the connection is closed.
        var idleSeconds = 30
        /// Seconds from a complete request to the beginning of its response; then the connection is closed.
        ///
        /// No request of the product takes as long.
        var answerSeconds = 120
        /// Milliseconds from a request's headers to the end of its body; then 408.
        ///
        /// The deadline of a streamed body is renewed as long as data arrives steadily.
        var bodyDeadline: Int64 = 30_000
        /// Milliseconds without data of an expected body; then 408.
        ///
        /// Less than the library's own timeout of ten seconds, after which it closes the connection without a response.
        var bodySilence: Int64 = 8_000
        /// Milliseconds without progress while a response is pending and the client accepts no byte; then the
        /// connection is cut.
        var answerDeadline: Int64 = 60_000
        /// The resolution of the timer wheel in milliseconds.
        package var resolution: Int64 = 50

        /// The pacer of frequently changing parts of one topic.
        ///
        /// It spaces writes by the cost of writing a tick's frames.
        ///
        /// The first change after a pause is written at once. The changes that follow are combined in one frame. Under
        /// light load the pause lasts a millisecond, under heavy load as long as `WritePlan` says.
        var topicPacer = Pacer(share: 12, shortest: 300_000, longest: 25_000_000)

        /// Creates the protocol's default times.
        package init() {}
    }

    /// The certificate and key of a TLS listener, as PEM files.
    package struct TLS: Sendable {
        package var certificateFile: String
        package var keyFile: String

        /// Creates a pair of the two files.
        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The IP address to listen on, IPv4 or IPv6.
    package var host = "127.0.0.1"
    /// The port; 0 for any free port.
    package var port: UInt16 = 0
    /// The number of the node, which is part of the ids of its connections and requests.
    package var node: UInt8 = 0
    /// The number of threads that serve connections.
    package var shards = 1
    /// The processors that these threads are bound to, one each in rotation; empty for any.
    package var processors: [Int] = []
    /// The path of the WebSocket endpoint.
    var webSocketPath = "/v1/ws"
    /// The supported subprotocols, in order of preference.
    package var subprotocols = ["muster.v1", "muster.watch.v1"]
    /// Allowed origins in addition to that of the request's own host, such as `https://app.example`.
    package var allowedOrigins: Set<String> = []
    package var limits = Limits()
    package var timing = Timing()
    /// The TLS certificate; nil for plain HTTP.
    package var tls: TLS?
    /// The folders of static files by prefix; the longest prefix wins.
    package var staticMounts: [StaticMount] = []
    /// The path of the static script that is sent with the names of all static files; nil for none.
    package var staticListing: String?
    /// Headers added to every HTTP response, such as `content-security-policy`.
    package var responseHeaders: [(name: String, value: String)] = []
    /// Paths, and path prefixes that end in a slash, that the application serves even for `GET`.
    package var applicationPaths = ["/v1/", "/healthz", "/readyz", "/metrics"]
    /// The reception of a request body, by method and path; nil for a whole body within the default limit.
    package var bodyReception: @Sendable (HTTPMethod, String) -> BodyReception? = { _, _ in nil }
    /// The prefix of the names of the gateway's loops, for a process with several gateways.
    package var loopPrefix = ""
    /// The error detail for clients when all shards have stalled.
    package var stallReport: @Sendable () -> String = { "The server is stalled." }
    /// Names of headers, in lower case, that the application reads and libwebsockets does not know by number.
    package var requestHeaders: [String] = []

    /// Creates a configuration with the defaults.
    package init() {}

    /// The descriptors that are claimed in addition to those of connections.
    var descriptorsBesideConnections: Int { self.limits.reservedDescriptors + 16 * self.shards }

    /// The descriptors that a gateway claims at its start.
    package var descriptors: Int { self.limits.connections + self.descriptorsBesideConnections }

    /// Lowers the connection limit to the system's hard limit on descriptors.
    ///
    /// - Parameter others: descriptors that other gateways of the process will claim.
    package mutating func fitConnectionsToDescriptors(besides others: Int = 0) {
        let room = DescriptorLimit.available - self.descriptorsBesideConnections - others
        self.limits.connections = max(1, min(self.limits.connections, room))
    }

    /// Returns the processor for a shard's thread.
    ///
    /// - Parameter index: the shard's number.
    /// - Returns: nil for any processor.
    package func processor(ofShard index: Int) -> Int? {
        self.processors.isEmpty ? nil : self.processors[index % self.processors.count]
    }
}

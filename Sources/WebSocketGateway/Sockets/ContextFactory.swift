import CLibUV
import CLibWebSockets
import EventLoop
import Glibc
import Synchronization

/// A factory of libwebsockets contexts.
///
/// It creates one at a time, because the library and OpenSSL set up global state. On failure it reports the reason.
enum ContextFactory {
    /// The size of the buffer into which libwebsockets reads, in bytes.
    static let readBytes = RequestHeadReader.limit + 16_384 + 1024
    private static let lock = Mutex(())
    private static let log = Mutex(LibraryLog())

    private struct LibraryLog {
        var sink: (@Sendable (LogEvent) -> Void)?
        var recent: [String] = []
        var filter = RepeatFilter()
    }

    /// Sends the log messages of libwebsockets in this process to `sink`.
    static func setLog(_ sink: @escaping @Sendable (LogEvent) -> Void) {
        self.log.withLock { $0.sink = sink }
        lws_set_log_level(Int32(LLL_ERR | LLL_WARN)) { level, line in
            guard let line else { return }
            ContextFactory.libraryLogged(level: level, line: String(cString: line))
        }
    }

    /// Creates a context without a listener on a foreign libuv loop.
    static func make(
        configuration: GatewayConfiguration,
        loop: UnsafeMutablePointer<uv_loop_t>,
        protocols: UnsafeMutablePointer<lws_protocols>,
        retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>,
        user: UnsafeMutableRawPointer
    ) throws(GatewayError) -> OpaquePointer {
        // Without the certificate, libwebsockets would start anyway and fail at each connection.
        for file in [configuration.tls?.certificateFile, configuration.tls?.keyFile] {
            guard let file, access(file, R_OK) != 0 else { continue }
            throw GatewayError(.invalidConfiguration, message: "cannot read \(file)")
        }
        let address = UInt(bitPattern: user)
        let made = self.lock.withLock { _ -> UInt in
            self.log.withLock { $0.recent.removeAll() }
            return self.create(configuration, loop, protocols, retryPolicy, address)
        }
        let reasons = self.log.withLock { $0.recent }
        if let context = OpaquePointer(bitPattern: made) {
            // For an invalid certificate the library logs an error and returns a half destroyed context. It can only be
            // leaked; the process is about to exit.
            guard reasons.contains(where: { $0.contains("create default vhost") }) else { return context }
        }
        if reasons.contains(where: { $0.contains("evlib") }) {
            throw GatewayError(
                .eventLibraryMissing,
                message: "libwebsockets did not find its libuv plugin; install the package libwebsockets-evlib-uv"
            )
        }
        throw GatewayError(.contextFailed, message: reasons.joined(separator: "; "))
    }

    private static func create(
        _ configuration: GatewayConfiguration,
        _ loop: UnsafeMutablePointer<uv_loop_t>,
        _ protocols: UnsafeMutablePointer<lws_protocols>,
        _ retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>,
        _ user: UInt
    ) -> UInt {
        var information = lws_context_creation_info()
        // CONTEXT_PORT_NO_LISTEN would silently turn TLS off.
        information.port = CONTEXT_PORT_NO_LISTEN_SERVER
        information.protocols = UnsafePointer(protocols)
        information.extensions = nil
        information.user = UnsafeMutableRawPointer(bitPattern: user)
        information.gid = -1
        information.uid = -1
        information.count_threads = 1
        // Beyond this size the library closes a connection without a response. It stores slightly more bytes of a head
        // than arrive.
        information.max_http_header_data = UInt16(RequestHeadReader.limit + 2048)
        // The size of one read of the library: a head is passed to it as a whole.
        information.pt_serv_buf_size = UInt32(self.readBytes)
        information.timeout_secs = UInt32(configuration.timing.headSeconds)
        information.keepalive_timeout = Int32(configuration.timing.idleSeconds)
        information.retry_and_idle_policy = UnsafePointer(retryPolicy)
        information.options = UInt64(LWS_SERVER_OPTION_LIBUV) | UInt64(LWS_SERVER_OPTION_VALIDATE_UTF8)
        var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(loop)]
        return withOptionalCString(configuration.tls?.certificateFile) { certificate in
            withOptionalCString(configuration.tls?.keyFile) { key in
                "http/1.1".withCString { alpn in
                    loops.withUnsafeMutableBufferPointer { loops in
                        information.foreign_loops = loops.baseAddress
                        if certificate != nil {
                            information.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
                            information.ssl_cert_filepath = certificate
                            information.ssl_private_key_filepath = key
                            information.alpn = alpn
                            information.ssl_options_set = TLSParameters.options
                        }
                        return TLSParameters.suites.withCString { suites in
                            TLSParameters.newerSuites.withCString { newerSuites in
                                information.ssl_cipher_list = suites
                                information.tls1_3_plus_cipher_list = newerSuites
                                return UInt(bitPattern: lws_create_context(&information))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func libraryLogged(level: Int32, line: String) {
        let text = line.split(separator: "\n").joined(separator: " ")
        let now = MonotonicClock.system.milliseconds
        let admitted: (sink: @Sendable (LogEvent) -> Void, dropped: Int)? = self.log.withLock { log in
            log.recent.append(text)
            if log.recent.count > 20 { log.recent.removeFirst() }
            guard let sink = log.sink, let dropped = log.filter.admit(text, now: now) else { return nil }
            return (sink, dropped)
        }
        guard let (sink, dropped) = admitted else { return }
        var fields = [(key: "library.message", value: text)]
        if dropped > 0 { fields.append(("library.repeated", "\(dropped)")) }
        sink(LogEvent(level == LLL_ERR ? .warning : .info, "libwebsockets", fields))
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}

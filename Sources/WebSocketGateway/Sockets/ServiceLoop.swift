import CLibUV
import CLibWebSockets
import EventLoop
import Glibc

// One thread's libuv loop with a libwebsockets context on it.
//
// Ownership: the loop, its handles, the protocol table and its names are allocated here. They outlive the context and
// are freed in `destroy` and `deinit`. `destroy` runs on the loop's thread after `run` has returned. Callbacks get
// `self` unretained: the shard owns it for as long as its thread runs.

/// The events of a service loop, for the owner of the sockets.
protocol ServiceLoopEvents: AnyObject {
    /// Called with an event of libwebsockets about a socket; the return value goes to the library.
    func socketEvent(
        _ reason: lws_callback_reasons,
        _ handle: SocketHandle,
        _ socket: Socket,
        _ bytes: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32
    /// Called with a piece of a message.
    func bytesReceived(_ bytes: UnsafeRawBufferPointer, _ handle: SocketHandle, _ connection: Connection) -> Int32
    /// Called with frames that need pongs, or that violated the protocol.
    func framesEvaluated(_ outcome: SocketInput.Outcome, pongs: [UInt8], of socket: Socket)
    /// Called when the mailbox is not empty.
    func wakeSignalled()
    /// Called when one slot of the timer wheel has passed.
    func timeAdvanced()
    /// Called when the loop is about to wait.
    func iterationEnded()
}

/// The owner of a libuv loop and of the libwebsockets context on it.
final class ServiceLoop {
    private let loop: UnsafeMutablePointer<uv_loop_t>
    private let prepare: UnsafeMutablePointer<uv_prepare_t>
    private let timer: UnsafeMutablePointer<uv_timer_t>
    private let alarm: UnsafeMutablePointer<uv_timer_t>
    private let wakePoll: UnsafeMutablePointer<uv_poll_t>
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let protocolCount: Int
    private let retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>
    private let wake: WakeSignal
    private var context: OpaquePointer?
    private var contextEnd: ContextEnd?
    private let usesTLS: Bool
    private let input = InputFilter()
    // Unchecked, because the core outlives its loop, and a checked reference would be counted at every event of a
    // socket.
    private unowned(unsafe) let events: any ServiceLoopEvents

    init(configuration: GatewayConfiguration, wake: WakeSignal, events: any ServiceLoopEvents) throws(GatewayError) {
        self.events = events
        self.wake = wake
        self.usesTLS = configuration.tls != nil
        self.loop = .allocate(capacity: 1)
        self.prepare = .allocate(capacity: 1)
        self.timer = .allocate(capacity: 1)
        self.alarm = .allocate(capacity: 1)
        self.wakePoll = .allocate(capacity: 1)
        self.retryPolicy = .allocate(capacity: 1)
        self.retryPolicy.initialize(to: lws_retry_bo_t())
        (self.protocols, self.protocolCount) = makeProtocols(configuration.subprotocols)
        uv_loop_init(self.loop)
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        // After a failure the loop may list freed handles, so it must not be used again.
        self.context = try ContextFactory.make(
            configuration: configuration,
            loop: self.loop,
            protocols: self.protocols,
            retryPolicy: self.retryPolicy,
            user: opaque
        )
        self.contextEnd = ContextEnd(loop: self.loop)
        self.startHandles(opaque, resolution: UInt64(configuration.timing.resolution))
    }

    deinit {
        for index in 0..<self.protocolCount { free(UnsafeMutableRawPointer(mutating: self.protocols[index].name)) }
        self.protocols.deallocate()
        self.retryPolicy.deallocate()
        self.wakePoll.deallocate()
        self.alarm.deallocate()
        self.timer.deallocate()
        self.prepare.deallocate()
        self.loop.deallocate()
    }

    /// Runs until `stop`.
    func run() {
        self.input.install(events: self.events)
        uv_run(self.loop, UV_RUN_DEFAULT)
        self.input.remove()
    }

    /// Stops `run` after this tick.
    ///
    /// Call it on the loop's thread.
    func stop() { uv_stop(self.loop) }

    /// Wakes the loop after `milliseconds` at the latest.
    func iterate(after milliseconds: Int64) { uv_timer_start(self.alarm, { _ in }, UInt64(milliseconds), 0) }

    /// Passes a connected, non-blocking socket to libwebsockets, which closes it in any case.
    func adopt(descriptor: Int32, socket: Socket) {
        guard let context = self.context, let host = lws_get_vhost_by_name(context, "default") else {
            close(descriptor)
            return
        }
        var information = lws_adopt_desc_t()
        information.vh = host
        let type =
            LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue | (self.usesTLS ? LWS_ADOPT_ALLOW_SSL.rawValue : 0)
        information.type = lws_adoption_type(type)
        information.fd.sockfd = descriptor
        // Retained for libwebsockets; released by WSI_DESTROY.
        information.opaque = Unmanaged.passRetained(socket).toOpaque()
        self.input.add(socket)
        lws_adopt_descriptor_vhost_via_info(&information)
    }

    /// Cuts every socket, frees the context and closes the loop.
    ///
    /// Call it after `run` has returned.
    func destroy() {
        uv_prepare_stop(self.prepare)
        uv_timer_stop(self.timer)
        uv_timer_stop(self.alarm)
        uv_poll_stop(self.wakePoll)
        close(self.prepare)
        close(self.timer)
        close(self.alarm)
        close(self.wakePoll)
        if let context = self.context.take() {
            self.contextEnd?.destroy(context, on: self.loop, spare: self.wake.descriptor)
        }
        uv_loop_close(self.loop)
    }

    private func close<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
        uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), nil)
    }

    private func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    private func startHandles(_ opaque: UnsafeMutableRawPointer, resolution: UInt64) {
        uv_prepare_init(self.loop, self.prepare)
        self.prepare.pointee.data = opaque
        uv_prepare_start(self.prepare) { handle in
            guard let data = handle?.pointee.data else { return }
            serviceLoop(data).events.iterationEnded()
        }
        uv_timer_init(self.loop, self.timer)
        self.timer.pointee.data = opaque
        uv_timer_start(
            self.timer,
            { handle in
                guard let data = handle?.pointee.data else { return }
                serviceLoop(data).events.timeAdvanced()
            },
            resolution,
            resolution
        )
        uv_timer_init(self.loop, self.alarm)
        uv_poll_init(self.loop, self.wakePoll, self.wake.descriptor)
        self.wakePoll.pointee.data = opaque
        uv_poll_start(self.wakePoll, Int32(UV_READABLE.rawValue)) { handle, _, _ in
            guard let data = handle?.pointee.data else { return }
            let loop = serviceLoop(data)
            loop.wake.clear()
            loop.events.wakeSignalled()
        }
    }

    fileprivate func handle(
        _ reason: lws_callback_reasons,
        _ wsi: OpaquePointer,
        _ user: UnsafeMutableRawPointer?,
        _ bytes: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32 {
        if reason == LWS_CALLBACK_RECEIVE {
            // The connection directly, not through its socket, which would be one more memory access.
            guard let user else { return 0 }
            return Unmanaged<Connection>.fromOpaque(user)._withUnsafeGuaranteedRef { connection in
                self.events.bytesReceived(
                    UnsafeRawBufferPointer(start: bytes, count: count),
                    SocketHandle(wsi),
                    connection
                )
            }
        }
        guard let opaque = lws_get_opaque_user_data(wsi) else { return 0 }
        let reference = Unmanaged<Socket>.fromOpaque(opaque)
        guard reason != LWS_CALLBACK_WSI_DESTROY else {
            lws_set_opaque_user_data(wsi, nil)
            self.input.remove(reference)
            return self.events.socketEvent(reason, SocketHandle(wsi), reference.takeRetainedValue(), bytes, count)
        }
        // Not retained, which would access uncached memory. libwebsockets retains the socket until it is destroyed.
        return reference._withUnsafeGuaranteedRef { socket in
            self.events.socketEvent(reason, SocketHandle(wsi), socket, bytes, count)
        }
    }
}

@available(*, unavailable)
extension ServiceLoop: Sendable {}

private func serviceLoop(_ opaque: UnsafeMutableRawPointer) -> ServiceLoop {
    Unmanaged<ServiceLoop>.fromOpaque(opaque).takeUnretainedValue()
}

/// Returns the protocol table.
///
/// Protocol 0 is HTTP; its name is not a valid token, so that no client can request it.
private func makeProtocols(_ subprotocols: [String]) -> (UnsafeMutablePointer<lws_protocols>, Int) {
    let names = ["(http)"] + subprotocols
    let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: names.count + 1)
    table.initialize(repeating: lws_protocols(), count: names.count + 1)
    for (index, name) in names.enumerated() {
        table[index].name = UnsafePointer(strdup(name))
        table[index].callback = socketCallback
        // The per-session memory of libwebsockets is not used, but HTTP needs some.
        table[index].per_session_data_size = index == 0 ? MemoryLayout<UInt>.size : 0
        // Allocated for each connection, plus 20 bytes and the allocator's 8, in steps of 16. It holds a whole fix (150
        // to 200 bytes). Longer messages arrive in pieces, which are joined.
        table[index].rx_buffer_size = 208
        table[index].tx_packet_size = 65_536
    }
    return (table, names.count)
}

private func socketCallback(
    wsi: OpaquePointer?,
    reason: lws_callback_reasons,
    user: UnsafeMutableRawPointer?,
    bytes: UnsafeMutableRawPointer?,
    count: Int
) -> Int32 {
    if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS {
        if let user { TLSParameters.limitGroups(of: user) }
        return 0
    }
    guard let wsi, let context = lws_get_context(wsi), let opaque = lws_context_user(context) else { return 0 }
    return Unmanaged<ServiceLoop>.fromOpaque(opaque)._withUnsafeGuaranteedRef {
        $0.handle(reason, wsi, user, bytes, count)
    }
}

import Glibc
import MusterWire
import Synchronization

extension ShardCore {
    /// The remaining work of a drain.
    struct Drain {
        let code: CloseCode
        var waiting: [ConnectionID]
        let done: @Sendable () -> Void
    }

    /// The number of WebSockets closed in one slot of the timer wheel.
    private static let closesPerSlot = 200

    func adopt(descriptor: Int32, address: String) {
        guard let loop = self.loop, self.events != nil else {
            _ = Glibc.close(descriptor)
            self.shared.admissions.release(address)
            return
        }
        self.counters.sockets.wrappingAdd(1, ordering: .relaxed)
        loop.adopt(descriptor: descriptor, socket: Socket(peerAddress: address, descriptor: descriptor))
    }

    func beginDrain(farewell: [UInt8]?, code: CloseCode, done: @escaping @Sendable () -> Void) {
        if let farewell {
            for connection in self.connections.values { self.send(farewell, on: connection) }
        }
        self.drain = Drain(code: code, waiting: self.connections.values.map(\.id), done: done)
    }

    /// Closes the next batch.
    ///
    /// Called once for each slot of the wheel.
    func continueDrain() {
        guard var drain = self.drain else { return }
        for id in drain.waiting.suffix(Self.closesPerSlot) {
            guard let connection = self.connections[id] else { continue }
            self.close(connection, drain.code)
        }
        drain.waiting.removeLast(min(Self.closesPerSlot, drain.waiting.count))
        if drain.waiting.isEmpty, self.connections.isEmpty, self.exchanges.isEmpty {
            self.drain = nil
            drain.done()
        } else {
            // Connections whose handshake was in progress when the drain began.
            if drain.waiting.isEmpty {
                drain.waiting = self.connections.values.filter(\.isOpen).map(\.id)
            }
            self.drain = drain
        }
    }
}

@testable import MusterClient

extension BlockingSocket {
    /// Reads until the received text ends with `text`.
    func receive(through text: String) throws {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).hasSuffix(text) {
            let isAlive = try self.receive(until: .max) { bytes.append(contentsOf: $0) }
            guard isAlive else { throw ClientError(.connectionLost, message: String(decoding: bytes, as: UTF8.self)) }
        }
    }

    /// Reads until the other side closes.
    func receiveAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while try self.receive(until: .max, { bytes.append(contentsOf: $0) }) {}
        return bytes
    }
}

import EventLoop
import Foundation
import Glibc
import Synchronization

/// A proxy to PostgreSQL that loses answers.
///
/// It forwards connections to a server's unix socket. While cutting is on, it closes a connection instead of forwarding
/// the answer to a COMMIT.
///
/// The journal's connection is not cut, because the journal has its own recovery.
package final class CommitCutter: Sendable {
    /// The server's answer to a COMMIT: CommandComplete with this tag.
    private static let answer: [UInt8] = [0x43, 0, 0, 0, 11] + Array("COMMIT\0".utf8)
    /// A text that only the journal sends.
    private static let journal = Array("pg_try_advisory_lock".utf8)

    /// The connection string through the proxy.
    package let connectionString: String
    private let target: String
    private let folder: String
    private let listener: Int32
    /// The answers to lose from now on.
    private let cutsLeft = Atomic(0)
    private let cuts = Atomic(0)

    /// Opens a proxy to the server of one of our connection strings, which names the folder of its socket.
    package init(to connectionString: String) throws {
        guard let host = connectionString.firstMatch(of: /host='([^']*)' port=(\d+)/) else {
            throw ProgramError("no socket folder in \(connectionString)")
        }
        self.target = "\(host.1)/.s.PGSQL.\(host.2)"
        self.folder = "/tmp/muster-cutter-\(UUID().uuidString.prefix(8))"
        self.connectionString = connectionString.replacing("host='\(host.1)'", with: "host='\(self.folder)'")
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        self.listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address("\(self.folder)/.s.PGSQL.\(host.2)")
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(self.listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isBound == 0, listen(self.listener, 64) == 0 else {
            throw ProgramError("cannot listen in \(self.folder)")
        }
        let listener = self.listener
        _ = WorkerThread(name: "cutter") { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }
    }

    deinit {
        shutdown(self.listener, Int32(SHUT_RDWR))
        close(self.listener)
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// The number of lost answers.
    package var cutCount: Int { self.cuts.load(ordering: .acquiring) }

    /// Runs `body` while answers to COMMIT are lost, until the given number of them is lost.
    package func cutting<Value>(atMost count: Int = .max, _ body: () throws -> Value) rethrows -> Value {
        self.cutsLeft.store(count, ordering: .releasing)
        defer { self.cutsLeft.store(0, ordering: .releasing) }
        return try body()
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(self.target)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isConnected == 0 else {
            close(client)
            close(server)
            return
        }
        let way = Way(client: client, server: server)
        _ = WorkerThread(name: "cutter up") {
            Self.pump(from: client, to: server) { bytes in
                if Self.contains(bytes, Self.journal) { way.isJournal.store(true, ordering: .releasing) }
                return true
            }
            way.end()
        }
        _ = WorkerThread(name: "cutter down") { [weak self] in
            Self.pump(from: server, to: client) { bytes in
                guard let self, self.cutsLeft.load(ordering: .acquiring) > 0,
                    !way.isJournal.load(ordering: .acquiring), Self.contains(bytes, Self.answer)
                else { return true }
                self.cutsLeft.subtract(1, ordering: .acquiringAndReleasing)
                self.cuts.add(1, ordering: .acquiringAndReleasing)
                return false
            }
            way.end()
        }
    }

    /// Forwards data until `passes` returns false or the connection ends.
    private static func pump(from source: Int32, to target: Int32, _ passes: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0, passes(buffer[..<count]) else { return }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes { bytes in
                    send(target, bytes.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
        }
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool { bytes.contains(pattern) }

    private static func address(_ path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107)) + [0]) }
        return address
    }

    /// The two sockets of a forwarded connection.
    private final class Way: Sendable {
        let isJournal = Atomic(false)
        private let client: Int32
        private let server: Int32
        private let ends = Atomic(0)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        /// Shuts down both directions; the second of the two threads closes the sockets.
        func end() {
            shutdown(self.client, Int32(SHUT_RDWR))
            shutdown(self.server, Int32(SHUT_RDWR))
            guard self.ends.add(1, ordering: .acquiringAndReleasing).newValue == 2 else { return }
            close(self.client)
            close(self.server)
        }
    }
}

import EventLoop
import Foundation
import Glibc
import MusterClient
import MusterCommands
import MusterServer

/// A plain relay as a child process, as the baseline for Muster.
final class RelayProcess: Sendable {
    /// The timeout for the relay to listen, in tenths of a second.
    private static let timeout = 100

    /// The process id.
    let processID: Int32
    /// The address of its listener.
    let endpoint: Endpoint
    private let process: Process

    /// Runs a relay while `body` runs; without a command runs only `body`.
    ///
    /// In the shell command `{port}` stands for the port to listen on. `body` starts once the port accepts connections.
    static func with<Value: Sendable>(
        command: String?,
        _ body: (RelayProcess?) async throws -> Value
    ) async throws -> Value {
        guard let command else { return try await body(nil) }
        let relay = try await BlockingWork.run(named: "relay") { () throws(BenchError) in try RelayProcess(command) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(relay))
        } catch {
            result = .failure(error)
        }
        await BlockingWork.run(named: "relay") { () throws(Never) in relay.stop() }
        return try result.get()
    }

    private init(_ command: String) throws(BenchError) {
        let port = try Self.freePort()
        // The relay inherits the binding.
        Processors.bindThread(to: ProcessorPlan.served)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // `exec` replaces the shell, so that the process's time and memory are the relay's.
        process.arguments = ["-c", "exec " + command.replacing("{port}", with: String(port))]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw BenchError("the relay cannot be started: \(error)")
        }
        self.process = process
        self.processID = process.processIdentifier
        self.endpoint = Endpoint(host: "127.0.0.1", port: port)
        for _ in 0..<Self.timeout {
            if (try? BlockingSocket(host: "127.0.0.1", port: port)) != nil { return }
            guard process.isRunning else { throw BenchError("the relay ended immediately: \(command)") }
            usleep(100_000)
        }
        self.stop()
        throw BenchError("the relay does not listen on port \(port): \(command)")
    }

    /// Whether the process is running.
    var isRunning: Bool { self.process.isRunning }

    /// Ends the relay by SIGTERM, and after 2 s by SIGKILL.
    ///
    /// Blocks.
    func stop() {
        self.process.terminate()
        for _ in 0..<20 where self.process.isRunning { usleep(100_000) }
        if self.process.isRunning { kill(self.processID, SIGKILL) }
        self.process.waitUntilExit()
    }

    /// A currently free port; most relays do not report a port that they choose.
    private static func freePort() throws(BenchError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard descriptor >= 0, status == 0 else { throw BenchError("no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}

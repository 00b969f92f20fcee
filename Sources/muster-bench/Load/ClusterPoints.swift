import EventLoop
import Glibc
import MusterClient
import MusterCommands
import MusterServer

/// Reads the number of spots on a server's map from its metrics.
struct ClusterPoints {
    private static let metric = #"muster_atlas_points{kind="spots"} "#
    /// The polling interval in milliseconds.
    private static let pause: UInt32 = 50
    private static let timeout: Int64 = 300_000

    private let connection: BlockingHTTP

    /// Connects to the server.
    init(_ server: Endpoint) throws { self.connection = try BlockingHTTP(host: server.host, port: server.port) }

    /// The number of spots on the map; 0 before the server has counted them.
    func read() throws -> Int {
        let page = String(decoding: try self.connection.request("GET", "/metrics").body, as: UTF8.self)
        guard let line = page.split(separator: "\n").first(where: { $0.hasPrefix(Self.metric) }) else { return 0 }
        return Int(line.dropFirst(Self.metric.count)) ?? 0
    }

    /// Waits until the map has `count` spots.
    func wait(for count: Int, _ context: BenchContext? = nil) throws {
        let clock = MonotonicClock.system
        let deadline = clock.milliseconds + Self.timeout
        while try self.read() != count {
            try context?.checkStop()
            guard clock.milliseconds < deadline else {
                throw BenchError("the map did not reach \(count) spots in time")
            }
            usleep(Self.pause * 1000)
        }
    }
}

import EventLoop
import Glibc
import MusterClient
import MusterCommands
import MusterServer

/// HTTP requests with fixed due times, sent over several connections with a thread each.
struct PacedRequests: Sendable {
    let server: Endpoint
    /// The tokens of the logins, used in turn.
    let tokens: [String]
    let paths: [String]
    /// The interval in seconds over which the due times are evenly distributed.
    let seconds: Double
    let connections: Int

    /// Starts the requests; each thread returns the delays of its answers after their due times.
    func start() -> [ThreadedWork<LatencyHistogram>] {
        (0..<self.connections).map { number in
            ThreadedWork(name: "requests \(number)") { try self.run(every: self.connections, from: number) }
        }
    }

    private func run(every step: Int, from first: Int) throws -> LatencyHistogram {
        let clock = MonotonicClock.system
        let connection = try BlockingHTTP(host: self.server.host, port: self.server.port)
        let start = clock.nanoseconds
        var delays = LatencyHistogram()
        for number in stride(from: first, to: self.paths.count, by: step) {
            let due = start + Int64(Double(number) * self.seconds * 1e9 / Double(self.paths.count))
            let early = due - clock.nanoseconds
            if early > 0 { usleep(UInt32(early / 1000)) }
            let answer = try connection.request(
                "GET",
                self.paths[number],
                headers: [("Authorization", "Bearer \(self.tokens[number % self.tokens.count])")]
            )
            guard answer.status == 200 || answer.status == 204 else {
                throw BenchError("\(self.paths[number]) was answered with \(answer.status)")
            }
            delays.add(clock.nanoseconds - due)
        }
        return delays
    }
}

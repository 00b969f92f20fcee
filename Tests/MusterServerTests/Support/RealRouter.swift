import EventLoop
import Foundation
import MusterTestSupport
import OutboundHTTP
import Testing

@testable import MusterCore
@testable import MusterServer

/// A real OSRM with the streets of the extract, and Muster's client for it.
struct RealRouter {
    /// The maximum number of points in one table of durations.
    static let mostPoints = 2000

    private static let folder = MusterProcess.checkout.appending(path: ".build/osrm")

    /// Whether OSRM is installed.
    static var isThere: Bool { FileManager.default.fileExists(atPath: Self.folder.appending(path: "done").path) }

    /// The router that the server uses.
    let router: any WalkRouter
    private let standIn: StandIn

    init() throws {
        self.standIn = try StandIn(
            program: Self.folder.appending(path: "osrm/bin/osrm-routed"),
            [
                "--ip", "127.0.0.1", "--port", "0", "--max-table-size", String(Self.mostPoints),
                Self.folder.appending(path: "town.osrm").path,
            ]
        ) { line in
            line.range(of: "Listening on: ").map { "http://" + line[$0.upperBound...] }
        }
        var configuration = ProviderConfiguration()
        configuration.router = try OperatorURL(configured: self.standIn.url)
        configuration.timeout = 30_000
        let logger = Logger(level: .error)
        let providers = Providers(configuration, blocking: BlockingPool(), clock: .system, logger: logger)
        self.router = try #require(providers.router)
    }

    /// The deadline of a request that starts now.
    var deadline: Int64 { MonotonicClock.system.milliseconds + 60_000 }

    /// Walking times in seconds from each point to each, row by row; nil if there is no route.
    ///
    /// The first point is rounded, as the server rounds a user's starting point.
    func seconds(among points: [Coordinate]) throws -> [[Double?]] {
        struct Answer: Decodable { let durations: [[Double?]] }
        let path = points.enumerated().map { index, point in
            let scale = index == 0 ? 1e3 : 1e6
            let (longitude, latitude) = (
                (point.longitude * scale).rounded() / scale, (point.latitude * scale).rounded() / scale
            )
            return "\(longitude),\(latitude)"
        }
        let url = "\(self.standIn.url)/table/v1/foot/\(path.joined(separator: ";"))"
        let asked = try Tool.run("/usr/bin/curl", ["-sS", "--fail", url], within: 60_000)
        try #require(asked.status == 0, "\(asked.output.prefix(200))")
        return try JSONDecoder().decode(Answer.self, from: Data(asked.output.utf8)).durations
    }
}

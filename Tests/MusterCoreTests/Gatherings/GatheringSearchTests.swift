import Foundation
import Testing

@testable import MusterCore

/// Random short days with a mishap at each stage of a gathering.
///
/// `MUSTER_SEARCH_DAYS` sets the number of days, `MUSTER_SEARCH_SEED` the first seed.
@Suite("A search for days that do not end")
struct GatheringSearchTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test("every day ends, and is decided the same from a snapshot taken at any point")
    func search() throws {
        let days = Self.number("MUSTER_SEARCH_DAYS") ?? 2_000
        let first = Self.number("MUSTER_SEARCH_SEED") ?? 1
        var gatherings = 0
        var moves = 0
        var failures = 0
        for seed in first..<first + days {
            let day = RandomDay(seed: UInt64(seed))
            let outcome = day.play()
            gatherings += outcome.whole.count { if case .began = $0 { true } else { false } }
            moves += outcome.whole.count {
                if case .changed(let status, _) = $0 { status.state == .moved } else { false }
            }
            guard outcome.problems.isEmpty, outcome.fromSnapshot == outcome.fromMoment else {
                Issue.record("seed \(seed): \(outcome.problems) \(outcome.difference)")
                failures += 1
                guard failures < 10 else { return }
                continue
            }
        }
        #expect(
            gatherings > days / 2 && moves > days / 20,
            "\(gatherings) gatherings and \(moves) moves in \(days) days"
        )
    }
}

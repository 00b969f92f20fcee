import AllocationCounter
import Dispatch
import Foundation
import Glibc
import MusterServer

/// Runs operations over real sockets, one at a time, and counts the allocations of the server's threads for each.
///
/// Operations that share a tick of the loop would share costs. One at a time, the figures are the maximum cost of an
/// operation, and they are the same on a busy machine.
struct Probe {
    /// The number of fixes in one frame of the operation that sends many.
    private static let batch = 100

    private let fixture: Fixture
    private var phones: [Phone] = []

    init(_ fixture: Fixture) { self.fixture = fixture }

    /// Runs all measurements; blocks.
    mutating func run() throws -> Figures {
        var figures = Figures()
        try self.enter(Fixture.groupSize)
        let operations: [(name: String, count: Int, run: (Probe, Int) throws -> Void)] = [
            ("fix to nine others", 1000, { probe, index in try probe.fix(index) }),
            ("100 fixes in one frame", 40, { probe, index in try probe.fixes(index) }),
            ("ack of a repeated fix", 1000, { probe, index in try probe.repetition(index) }),
            ("ping", 1000, { probe, index in try probe.ping(index) }),
        ]
        for operation in operations {
            MeasurementProgress.say(operation.name)
            figures[keyPath: Figures.measured][operation.name] = try self.measure(operation.count, operation.run)
        }
        let rest = self.fixture.people.count - self.phones.count
        MeasurementProgress.say("the bytes of \(rest) sessions")
        Self.fillCaches()
        let before = Self.stableBytes()
        try self.enter(rest)
        let entered = Self.stableBytes()
        MeasurementProgress.say("the bytes of \(rest) positions")
        for index in self.phones.indices.suffix(rest) { try self.fix(index) }
        let moved = Self.stableBytes()
        figures.bytes["session without a position"] = (entered - before) / Double(rest)
        figures.bytes["session with a position"] = (moved - before) / Double(rest)
        return figures
    }

    /// Connects the next `count` users.
    private mutating func enter(_ count: Int) throws {
        for number in self.phones.count..<self.phones.count + count {
            self.phones.append(
                try Phone(number: number, token: self.fixture.people[number].token, port: self.fixture.server.port)
            )
        }
    }

    private func measure(_ count: Int, _ operation: (Probe, Int) throws -> Void) throws -> ThreadCounts {
        for index in 0..<max(50, count / 5) { try operation(self, index) }
        let start = ThreadCounts.now
        for (thread, allocations) in start.named where allocations == 0 {
            throw ProbeError("the thread of the \(thread) was not found, or nothing is counted")
        }
        for index in 0..<count { try operation(self, index) }
        return ThreadCounts.now.since(start, per: count)
    }

    // MARK: - Operations

    /// A fix from one of ten users who report once a second.
    ///
    /// It is decoded, evaluated, shown, delivered to nine users, journaled and acknowledged.
    private func fix(_ index: Int) throws {
        self.fixture.clock.advance(milliseconds: 100)
        let sender = index % self.phones.count
        let place = try self.phones[sender].report(at: self.fixture.clock.wallMilliseconds)
        for follower in self.followers(of: sender) { try follower.wait(for: place) }
        try self.phones[sender].waitForAcknowledgement()
    }

    /// A batch of fixes, as a phone sends after it was offline.
    private func fixes(_ index: Int) throws {
        self.fixture.clock.advance(milliseconds: 1000)
        let sender = index % self.phones.count
        let place = try self.phones[sender].report(Self.batch, upTo: self.fixture.clock.wallMilliseconds)
        for follower in self.followers(of: sender) { try follower.wait(for: place) }
        try self.phones[sender].waitForAcknowledgement()
    }

    /// A fix that is sent again because its acknowledgement was lost: it is acknowledged at once and not stored or
    /// shown.
    private func repetition(_ index: Int) throws {
        let sender = self.phones[index % self.phones.count]
        try sender.repeatReport(at: self.fixture.clock.wallMilliseconds)
        try sender.wait(for: #""reason":"duplicate""#)
    }

    private func ping(_ index: Int) throws {
        let sender = self.phones[index % self.phones.count]
        try sender.send(#"{"type":"ping","id":1}"#)
        try sender.wait(for: #""type":"pong""#)
    }

    private func followers(of sender: Int) -> [Phone] {
        let first = sender - sender % Fixture.groupSize
        return (first..<first + Fixture.groupSize).filter { $0 != sender }.map { self.phones[$0] }
    }

    /// Fills libdispatch's caches of spent work items up to their maximum of 1,024 items of 64 bytes per thread.
    ///
    /// Otherwise their size depends on the load of the machine.
    private static func fillCaches() {
        let (tasks, ended) = (8192 * ProcessInfo.processInfo.activeProcessorCount, DispatchGroup())
        for _ in 0..<tasks {
            ended.enter()
            Task.detached { ended.leave() }
        }
        ended.wait()
    }

    /// The live bytes of the server when two samples a quarter of a second apart are equal.
    private static func stableBytes() -> Double {
        var last: Int64 = -1
        for _ in 0..<100 {
            let bytes = allocation_counts_of_other_threads().live_bytes
            if bytes == last { break }
            last = bytes
            usleep(250_000)
        }
        return Double(last)
    }
}

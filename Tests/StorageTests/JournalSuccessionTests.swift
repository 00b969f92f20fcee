import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct JournalSuccessionTests {
    @Test("a second writer waits for the first one's end, and then clears its sessions")
    func secondWriter() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let session = SessionRecord(
                session: SessionID(1),
                user: arrival.user.id,
                device: arrival.device,
                isWatch: true,
                openedAt: store.now
            )
            let first = TestJournal(store)
            first.submit([.sessionOpened(session)])
            try await first.flush()
            let second = TestJournal(store)
            second.submit([.fix(.sample(arrival.device, arrival.user.id, 1, at: store.now))])
            try await waitUntil { second.log.contains { $0.contains("another server writes") } }
            #expect(second.journal.state == .connecting)
            #expect(second.committed.isEmpty)
            try await first.close()
            try await second.finish()
            #expect(second.committed == [1])
            #expect(second.journal.state == .closed)
            #expect(try await store.count("muster.fix") == 1)
            #expect(try await store.count("muster.live_session") == 0)
        }
    }

    @Test("a writer that comes back after another one wrote does not store the same fixes again")
    func superseded() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            func fixes(_ range: ClosedRange<Int64>) -> [JournalRecord] {
                range.map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
            }
            let first = TestJournal(store)
            first.submit(fixes(1...10))
            try await first.flush()
            let second = TestJournal(store)
            second.submit(fixes(11...20))
            try await waitUntil { second.log.contains { $0.contains("another server writes") } }
            // Only the second journal requests the lock every 250 ms; the first must reconnect before.
            try await store.keepFromWriting(first, until: { second.journal.state == .ready })
            first.submit(fixes(11...30))
            try await second.finish()
            try await first.finish()
            try await store.expectFixes(1...30, of: arrival)
        }
    }

    @Test("a server that is killed in the middle of a COPY and comes back has everything once, in order")
    func serverKilled() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store)
            var next: Int64 = 1
            for _ in 0..<3 {
                // While a batch is in progress, some records are committed and more are waiting.
                journal.submit(
                    (next..<next + 40_000).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                )
                next += 40_000
                let target = journal.committed.count + 1
                try await waitUntil { journal.committed.count >= target }
                try await cluster.stopImmediately()
                try await waitUntil { journal.journal.state == .connecting }
                try await cluster.start()
            }
            try await journal.finish()
            #expect(journal.committed == journal.committed.sorted())
            #expect(journal.committed.last == next - 1)
            #expect(journal.journal.metrics.reconnects >= 3)
            try await store.expectFixes(1...next - 1, of: arrival)
        }
    }

    @Test("backends that end at any moment of a commit lose nothing and double nothing")
    func commitsInDoubt() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store, batchLimit: 50)
            var next: Int64 = 1
            var ended = 0
            while ended < 20 {
                // Enough that a commit is always in progress, and no more while the journal reconnects.
                if journal.journal.metrics.waiting < 2000 {
                    journal.submit(
                        (next..<next + 400).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                    )
                    next += 400
                }
                let count = try await store.endJournalBackend()
                ended += count
                if count == 0 { try await waitUntil { journal.journal.state == .ready } }
            }
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(journal.committed.last == next - 1)
            try await store.expectFixes(1...next - 1, of: arrival)
        }
    }
}

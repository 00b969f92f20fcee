import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("What is kept of devices")
struct DeviceMemoryTests {
    private static let phone = Hello.Device(key: "phone", name: nil, kind: .phone)
    private static let laptop = Hello.Device(key: "laptop", name: nil, kind: .browser)

    private func anchor(movedAt: Timestamp?) -> DeviceAnchor {
        DeviceAnchor(
            coordinate: Coordinate(latitude: 40.7, longitude: -74),
            accuracy: 12,
            movedAt: movedAt
        )
    }

    @Test("a known device's hello need not reach the disk, and what comes after it on the connection must")
    func durability() async throws {
        try await Store.with { store in
            let token = try await store.person().token
            for _ in 0..<2 {
                _ = try await store.directory.hello(token: token, device: Self.phone)
                let row = try await store.pool.query("SELECT current_setting('synchronous_commit') AS setting").first
                #expect(try row?.text("setting") == "on")
            }
        }
    }

    @Test("hello finds where the device had moved last, and keeps what no later fix changed")
    func anchor() async throws {
        try await Store.with { store in
            let token = try await store.person().token
            let first = try await store.directory.hello(token: token, device: Self.phone).arrival
            #expect(first.devices == [StoredDevice(device: first.device, kind: .phone)])
            let (device, user, now) = (first.device, first.user.id, store.now)
            let memory = DeviceMemory(anchor: self.anchor(movedAt: now - 60_000))
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(device, user, 1, at: now)),
                .device(.sample(device, user, at: now, memory: DeviceMemory(anchor: self.anchor(movedAt: nil)))),
                .fix(.sample(device, user, 2, at: now)), .device(.sample(device, user, at: now, memory: memory)),
                .fix(.sample(device, user, 3, at: now)),
                .position(user, .sample(device, 3, at: now), .ok),
            ])
            try await journal.flush()
            journal.submit([.fix(.sample(device, user, 4, at: now))])
            try await journal.finish()
            let again = try await store.directory.hello(token: token, device: Self.phone).arrival
            #expect(again.acknowledgedSequence == 4)
            #expect(again.devices == [StoredDevice(device: device, kind: .phone, anchor: memory.anchor)])
        }
    }

    @Test("what is kept of a device is written though its fix is in the batch before, and takes nothing back")
    func alone() async throws {
        try await Store.with { store in
            let token = try await store.person().token
            let first = try await store.directory.hello(token: token, device: Self.phone).arrival
            let (device, user, now) = (first.device, first.user.id, store.now)
            let memory = DeviceMemory(anchor: self.anchor(movedAt: now))
            var record = DeviceRecord.sample(device, user, at: now, memory: memory)
            record.clockOffset = 40_000
            let journal = TestJournal(store)
            journal.submit([.fix(.sample(device, user, 8, at: now, clockOffset: 40_000))])
            try await journal.flush()
            journal.submit([.device(record)])
            try await journal.finish()
            let again = try await store.directory.hello(token: token, device: Self.phone).arrival
            #expect(again.acknowledgedSequence == 8)
            #expect(again.clockOffset == 40_000)
            #expect(again.devices.map(\.anchor) == [memory.anchor])
        }
    }

    @Test("hello finds the fix that is held and the last accepted one before it, until it is confirmed")
    func pendingFix() async throws {
        try await Store.with { store in
            let token = try await store.person().token
            let first = try await store.directory.hello(token: token, device: Self.phone).arrival
            let (device, user, now) = (first.device, first.user.id, store.now)
            let memory = DeviceMemory(anchor: self.anchor(movedAt: nil), pendingAt: now - 5_000)
            let pendingFix = FixRecord.sample(device, user, 3, at: now - 5_000, verdict: .implausible)
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(device, user, 1, at: now - 20_000)), .fix(.sample(device, user, 2, at: now - 10_000)),
                .fix(pendingFix), .device(.sample(device, user, at: now - 5_000, memory: memory)),
            ])
            try await journal.flush()
            let found = try await store.directory.hello(token: token, device: Self.phone).arrival.devices
            #expect(found.map(\.pendingFix) == [pendingFix.fix])
            #expect(found.first?.accepted?.sequence == 2)
            journal.submit([
                .verdict(device, sequence: 3, at: now - 5_000, .ok),
                .fix(.sample(device, user, 4, at: now)),
                .device(.sample(device, user, at: now, memory: DeviceMemory(anchor: memory.anchor))),
                .position(user, .sample(device, 4, at: now), .ok),
            ])
            try await journal.finish()
            let later = try await store.directory.hello(token: token, device: Self.phone).arrival.devices
            #expect(later == [StoredDevice(device: device, kind: .phone, anchor: memory.anchor)])
        }
    }

    @Test("a group's load finds the last fix that gatherings use, behind a circle of kilometres that is shown")
    func usablePosition() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let user = people[1].user.id
            let arrival = try await store.directory.hello(token: people[1].token, device: Self.phone).arrival
            let (device, now) = (arrival.device, store.now)
            var tower = StoredPosition.sample(device, 3, at: now)
            tower.fix.accuracy = 2_000
            let good = FixRecord.sample(device, user, 1, at: now - 20_000)
            let journal = TestJournal(store)
            journal.submit([
                .fix(good), .fix(.sample(device, user, 2, at: now - 10_000, verdict: .implausible)),
                .fix(.sample(device, user, 3, at: now, verdict: .inaccurate)), .position(user, tower, .inaccurate),
            ])
            try await journal.finish()
            let members = try await store.directory.loadGroup(group.id).members
            #expect(
                members.map(\.usablePosition) == [
                    nil,
                    StoredPosition(
                        device: device,
                        fix: good.fix,
                        isStationary: tower.isStationary,
                        isClockKnown: false
                    ),
                ]
            )
        }
    }

    @Test("hello finds the person's other devices of late, with the last fixes that were accepted of them")
    func companions() async throws {
        try await Store.with { store in
            let token = try await store.person().token
            let phone = try await store.directory.hello(token: token, device: Self.phone).arrival
            let laptop = try await store.directory.hello(token: token, device: Self.laptop).arrival
            let (user, now) = (phone.user.id, store.now)
            let anchor = self.anchor(movedAt: now - 60_000)
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(phone.device, user, 1, at: now - 9_000)),
                .device(.sample(phone.device, user, at: now - 9_000, memory: DeviceMemory(anchor: anchor))),
                .fix(.sample(phone.device, user, 2, at: now - 8_000, verdict: .late)),
                .fix(.sample(laptop.device, user, 7, at: now - 5_000)),
                .device(.sample(laptop.device, user, at: now - 5_000, memory: DeviceMemory(anchor: anchor))),
                .fix(.sample(laptop.device, user, 8, at: now - 4_000, verdict: .secondary)),
                .fix(.sample(laptop.device, user, 9, at: now - 3_000, verdict: .implausible)),
            ])
            try await journal.finish()
            let found = try await store.directory.hello(token: token, device: Self.phone).arrival.devices
            #expect(found.map(\.device) == [phone.device, laptop.device])
            #expect(found.map(\.kind) == [.phone, .browser])
            #expect(found.map(\.anchor) == [anchor, anchor])
            #expect(found.map(\.accepted?.sequence) == [1, 8])
            #expect(found.allSatisfy { $0.pendingFix == nil })
        }
    }
}

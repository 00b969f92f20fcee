import Testing

@testable import MusterCore

@Suite("World: what is kept of devices")
struct WorldDeviceMemoryTests {
    /// A record that a report causes: the number of a fix, or the state of a device.
    private enum Row: Equatable {
        case fix(Int64)
        case device(DeviceMemory)
    }

    private func rows(_ effects: [WorldEffect]) -> [Row] {
        effects.records.compactMap { record in
            switch record {
            case .fix(let fix), .trackerFix(let fix, _): .fix(fix.fix.sequence)
            case .device(let device): .device(device.memory)
            case .verdict, .position, .presence, .sessionOpened, .sessionClosed, .notification, .seen, .gathering,
                .machine, .arrival, .suspension:
                nil
            }
        }
    }

    @Test("where a phone had moved last is written once for all fixes of a report, and only when it is news")
    func movement() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        let journey = (1...5).map { number in
            test.fix(Int64(number), lat: 50 + Double(number) * 0.005, at: test.now - 50_000 + Int64(number) * 10_000)
        }
        let report = FixReport(origin: .session(SessionID(1)), fixes: journey)
        let end = DeviceAnchor(coordinate: journey[4].coordinate, accuracy: 5, movedAt: test.now)
        let expected = (1...5).map { Row.fix($0) } + [.device(DeviceMemory(anchor: end))]
        #expect(self.rows(test.iterate(.fixesReceived(report))) == expected)

        test.now = test.now + 10_000
        #expect(self.rows(test.iterate(WorldUnderTest.report(1, test.fix(6, lat: 50.025)))) == [.fix(6)])
    }

    @Test("of fixes that the journal has no room for nothing is kept until they come again")
    func noRoom() {
        var test = WorldUnderTest { $0.journalLimit = 4 }
        test.open(1, user: 7)
        test.commit()
        let rows = self.rows(test.iterate(WorldUnderTest.report(1, test.fix(1))))
        #expect(rows.count == 2, "the first place of a device is news")
        while test.world.hasJournalCapacity {
            test.now = test.now + 60_000
            test.iterate(WorldUnderTest.report(1, test.fix(test.lastRecord + 10)))
        }
        test.now = test.now + 60_000
        let far = test.fix(100, lat: 50.01)
        #expect(self.rows(test.iterate(WorldUnderTest.report(1, far))).isEmpty)

        test.commit()
        let again = self.rows(test.iterate(WorldUnderTest.report(1, far)))
        #expect(again.count == 2 && again.first == .fix(100))
    }

    @Test("a fix that is held is written with the device, and so is that it was confirmed")
    func pendingFix() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.now = test.now + 10_000
        let anchor = DeviceAnchor(coordinate: test.fix(1).coordinate, accuracy: 5, movedAt: nil)
        let pendingAt = test.now
        let stray = self.rows(test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 51))))
        #expect(stray == [.fix(2), .device(DeviceMemory(anchor: anchor, pendingAt: pendingAt))])
        test.now = test.now + 10_000
        let next = self.rows(test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 51))))
        guard case .device(let memory) = next.last else {
            Issue.record("nothing of the device in \(next)")
            return
        }
        #expect(memory.pendingAt == nil && memory.anchor?.movedAt != nil)
    }
}

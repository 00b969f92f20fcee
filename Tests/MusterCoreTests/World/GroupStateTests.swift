import Testing

@testable import MusterCore

@Suite struct GroupStateTests {
    @Test("a roster remembers a bounded number of departures, and says from which version on a resume is complete")
    func departures() throws {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7]])
        for round in 0..<Int64(GroupState.departuresKept + 10) {
            let members = [7, 1_000 + round]
            test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2 * round + 2, members: members), answer: nil))
            test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2 * round + 3, members: [7]), answer: nil))
        }
        let roster = try #require(test.world.roster(of: GroupID(1)))
        #expect(roster.departures.count == GroupState.departuresKept)
        #expect(roster.departures.allSatisfy { $0.version > roster.departuresKeptSince })
        // The group was read at version 1, and 7 came online at version 2; then each round adds two versions.
        #expect(roster.departuresKeptSince == 22)
    }

    @Test("a group that was forgotten and is read again begins another epoch")
    func epochs() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        let first = test.world.roster(of: GroupID(1))?.version.epoch
        test.iterate(.sessionClosed(SessionID(1)))
        test.commit()
        test.pass(70_000)
        #expect(test.world.roster(of: GroupID(1)) == nil)
        test.open(2, user: 7, members: [1: [7, 8]])
        let second = test.world.roster(of: GroupID(1))?.version.epoch
        #expect(first != nil && second != nil && first != second)
    }

    @Test("many fixes in one turn make one version, and one with nothing to see makes none")
    func conflation() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        let fixes = (1...50).map { test.fix($0, lat: 50 + Double($0) / 100_000) }
        let report = FixReport(origin: .session(SessionID(1)), fixes: fixes)
        let changes = test.iterate(.fixesReceived(report)).changes
        #expect(changes.count == 1)
        #expect(changes.first?.members.map(\.position?.coordinate?.latitude) == [50.0005])
        #expect(changes.first?.members.first?.profile == nil)
        #expect(test.pass(10_000).changes.isEmpty)
    }
}

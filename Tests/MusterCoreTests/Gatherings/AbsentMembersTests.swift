import Testing

@testable import MusterCore

@Suite("Who is absent")
struct AbsentMembersTests {
    private static let cluster = Self.set([0, 1, 2])
    private static let usable = Self.set([0, 1, 2, 3])

    private static func set(_ slots: [Int]) -> MemberSet { slots.reduce(into: MemberSet()) { $0.insert($1) } }

    /// The position of the fourth member at a second, and whether it comes from a fix of their own.
    private struct Look {
        var second: Double
        var isFar: Bool
        var isOwnFix = true
        var isWithin = false
    }

    /// Whether the fourth member counts as absent after all looks, starting from `before`.
    private static func isAbsent(after looks: [Look], before: Bool) -> Bool {
        var absent = AbsentMembers(far: Self.set(before ? [3] : []), from: Self.cluster, usable: Self.usable)
        for look in looks {
            let instant = GatheringScene.moment(look.second)
            if look.isOwnFix { absent.noteFix(of: 3, at: instant) }
            absent.observe(
                far: Self.set(look.isFar ? [3] : []),
                within: Self.set(look.isWithin ? [3] : []),
                of: Self.cluster,
                usable: Self.usable,
                at: instant
            )
        }
        return absent.members.contains(3)
    }

    @Test("it takes 60 s without a break and a second fix of their own to be absent, and as much to be back")
    func timeout() {
        for before in [false, true] {
            let now = !before
            func after(_ looks: [Look]) -> Bool { Self.isAbsent(after: looks, before: before) }
            #expect(after([Look(second: 0, isFar: now)]) == before)
            #expect(after([Look(second: 0, isFar: now), Look(second: 59.9, isFar: now)]) == before)
            #expect(after([Look(second: 0, isFar: now), Look(second: 60, isFar: now)]) == now)
            let others = [Look(second: 0, isFar: now), Look(second: 900, isFar: now, isOwnFix: false)]
            #expect(after(others) == before)
            let broken = [
                Look(second: 0, isFar: now), Look(second: 30, isFar: before), Look(second: 40, isFar: now),
                Look(second: 70, isFar: now),
            ]
            #expect(after(broken) == before)
        }
    }

    @Test("who comes within R is not absent any more")
    func arrival() {
        #expect(!Self.isAbsent(after: [Look(second: 0, isFar: false, isWithin: true)], before: true))
    }

    @Test("when C changes, or somebody is usable anew, what is seen counts")
    func anew() {
        var absent = AbsentMembers(far: MemberSet(), from: Self.cluster, usable: Self.usable)
        let (far, none) = (Self.set([3]), MemberSet())
        absent.observe(far: far, within: none, of: Self.set([0, 1]), usable: Self.usable, at: GatheringScene.start)
        #expect(absent.members == far)
        absent.observe(far: none, within: none, of: Self.set([0, 1]), usable: Self.cluster, at: GatheringScene.start)
        #expect(absent.members.isEmpty)
        absent.observe(far: far, within: none, of: Self.set([0, 1]), usable: Self.usable, at: GatheringScene.start)
        #expect(absent.members == far && absent.doubts.isEmpty)
    }

    @Test("when C changes, who was in doubt counts as before until it is proven", arguments: [false, true])
    func doubtOutlastsC(before: Bool) {
        let (fourth, none) = (Self.set([3]), MemberSet())
        let seen = before ? none : fourth
        let larger = Self.set([0, 1, 2, 4])
        let usable = Self.usable | larger
        var absent = AbsentMembers(far: before ? fourth : none, from: Self.cluster, usable: usable)
        // A stray fix, and then a fourth member arrives and leaves.
        for (second, cluster) in [(0.0, Self.cluster), (70, larger), (200, Self.cluster)] {
            let instant = GatheringScene.moment(second)
            absent.observe(far: seen, within: none, of: cluster, usable: usable, at: instant)
            #expect(absent.members.contains(3) == before, "\(second) s")
        }
        absent.noteFix(of: 3, at: GatheringScene.moment(210))
        absent.observe(far: seen, within: none, of: larger, usable: usable, at: GatheringScene.moment(210))
        #expect(absent.members.contains(3) != before)
    }

    @Test("nobody of C is absent from it, whatever was in doubt")
    func ofTheOtherCluster() {
        let usable = Self.set([0, 1, 2, 3, 4, 5])
        let (first, second) = (Self.set([0, 1, 2]), Self.set([3, 4, 5]))
        var absent = AbsentMembers(far: second, from: first, usable: usable)
        let doubted = Self.set([3])
        absent.observe(far: second - doubted, within: MemberSet(), of: first, usable: usable, at: GatheringScene.start)
        #expect(absent.doubted == doubted)
        absent.observe(far: first, within: MemberSet(), of: second, usable: usable, at: GatheringScene.moment(10))
        #expect(absent.members == first && absent.doubts.isEmpty)
    }
}

import Testing

@testable import MusterCore

@Suite("Stays")
struct MemberStayTests {
    /// The remembered stay after fixes at the café and then further and further away, at these seconds.
    private static func past(at seconds: [Double], there: Int) -> MemberStay.Stay? {
        let settings = GroupSettings()
        var position: MemberPosition?
        var stay: MemberStay?
        for (index, second) in seconds.enumerated() {
            let place = GatheringScene.cafe.moved(Double(max(0, index + 1 - there)) * 900, bearing: 60)
            let observation = GatheringObservation(
                device: DeviceID(1),
                sequence: Int64(index + 1),
                at: GatheringScene.moment(second),
                coordinate: place,
                accuracy: 8,
                isStationary: false
            )
            guard let last = position else {
                position = MemberPosition(first: observation)
                stay = MemberStay(place, at: observation.at)
                continue
            }
            stay?.follow(observation, after: last, settings: settings)
            position?.follow(observation)
        }
        return stay?.past
    }

    @Test("a stay is remembered when a second fix was within it, and not when one fix is all there is of it")
    func oneFix() {
        #expect(Self.past(at: [0, 300, 600], there: 1) == nil)
        #expect(Self.past(at: [0, 0.4, 300, 600], there: 2) == nil, "one that is delivered twice")
        #expect(Self.past(at: [0, 20, 300, 600], there: 2)?.end == GatheringScene.moment(300))
        #expect(Self.past(at: [0, 20, 100, 130], there: 2) == nil, "not for long")
        // On the way each place lasts five minutes, and none has a second fix.
        #expect(Self.past(at: [0, 20, 300, 600, 900, 1200, 1500], there: 2)?.end == GatheringScene.moment(300))
    }

    @Test("a stay takes 32 bytes")
    func size() {
        #expect(MemoryLayout<MemberStay>.stride == 32)
    }
}

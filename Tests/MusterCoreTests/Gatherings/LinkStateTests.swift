import Testing

@testable import MusterCore

@Suite("Links")
struct LinkStateTests {
    /// One event of a pair, this many seconds after the start.
    enum Step: Sendable {
        /// A fix of the member with the lower slot: within R, between, or beyond 1.5 R.
        case lower(Double, Place)
        /// A fix of the other member.
        case higher(Double, Place)
        /// Only time passes.
        case time(Double)
    }

    enum Place: Sendable {
        case within
        case between
        case beyond
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isLinkedBefore: Bool
        var steps: [Step]
        var isLinkedAfter: Bool

        init(_ name: String, from before: Bool, _ steps: [Step], to after: Bool) {
            self.testDescription = name
            self.isLinkedBefore = before
            self.steps = steps
            self.isLinkedAfter = after
        }
    }

    @Test(
        "a pair changes by the rule and not otherwise",
        arguments: [
            Row("one fix links nobody", from: false, [.lower(0, .within), .time(59.999)], to: false),
            Row("60 s after one fix alone prove nothing", from: false, [.lower(0, .within), .time(600)], to: false),
            Row(
                "one fix of each and 60 s unchallenged link",
                from: false,
                [.lower(0, .within), .higher(20, .within), .time(60)],
                to: true
            ),
            Row(
                "not before 60 s",
                from: false,
                [.lower(0, .within), .higher(20, .within), .time(59.999)],
                to: false
            ),
            Row(
                "two fixes of each link at once",
                from: false,
                [.lower(0, .within), .higher(1, .within), .lower(2, .within), .higher(3, .within)],
                to: true
            ),
            Row(
                "two of one and one of the other do not",
                from: false,
                [.lower(0, .within), .higher(1, .within), .lower(2, .within), .lower(3, .within)],
                to: false
            ),
            Row(
                "a fix between R and 1.5 R challenges",
                from: false,
                [.lower(0, .within), .higher(30, .between), .time(120)],
                to: false
            ),
            Row(
                "after a challenge it starts anew",
                from: false,
                [.lower(0, .within), .higher(30, .between), .lower(40, .within), .time(99)],
                to: false
            ),
            Row(
                "between R and 1.5 R nothing opens",
                from: true,
                [.lower(0, .between), .higher(90, .between)],
                to: true
            ),
            Row("one fix beyond opens nothing", from: true, [.lower(0, .beyond), .time(600)], to: true),
            Row(
                "two fixes beyond open after 60 s",
                from: true,
                [.lower(0, .beyond), .lower(10, .beyond), .time(60)],
                to: false
            ),
            Row(
                "not before 60 s",
                from: true,
                [.lower(0, .beyond), .higher(10, .beyond), .time(59.999)],
                to: true
            ),
            Row(
                "a second fix after 60 s opens at once",
                from: true,
                [.lower(0, .beyond), .lower(90, .beyond)],
                to: false
            ),
            Row(
                "coming back breaks the opening",
                from: true,
                [.lower(0, .beyond), .lower(30, .between), .lower(40, .beyond), .lower(50, .beyond), .time(99)],
                to: true
            ),
        ]
    )
    func transitions(row: Row) {
        var state = row.isLinkedBefore ? LinkState.linked : .apart
        for step in row.steps {
            switch step {
            case .lower(let second, let place), .higher(let second, let place):
                let sample = LinkState.Sample(
                    isLower: { if case .lower = step { true } else { false } }(),
                    isWithin: place == .within,
                    isBeyond: place == .beyond
                )
                state.fixed(sample, at: GatheringScene.moment(second))
            case .time(let second):
                state.timePassed(to: GatheringScene.moment(second))
            }
        }
        #expect(state.isLinked == row.isLinkedAfter)
    }

    @Test("a friend who sits where they sat confirms no stray fix, one who walks does", arguments: [true, false])
    func confirmation(isSettled: Bool) {
        var state = LinkState.linked
        state.fixed(LinkState.Sample(isLower: true, isWithin: false, isBeyond: true), at: GatheringScene.moment(0))
        for second in stride(from: 10.0, through: 600, by: 10) {
            let sample = LinkState.Sample(
                isLower: false,
                isWithin: false,
                isBeyond: true,
                isOwnerSettled: isSettled
            )
            state.fixed(sample, at: GatheringScene.moment(second))
        }
        #expect(state.isLinked == isSettled)
        state.fixed(LinkState.Sample(isLower: true, isWithin: false, isBeyond: true), at: GatheringScene.moment(601))
        #expect(!state.isLinked)
    }

    @Test("a fix that does not tell begins no opening, and neither confirms nor ends one")
    func untold() {
        func after(_ steps: [(second: Double, isBeyond: Bool, isInformative: Bool)]) -> Bool {
            var state = LinkState.linked
            for step in steps {
                let sample = LinkState.Sample(
                    isLower: true,
                    isWithin: false,
                    isBeyond: step.isBeyond,
                    isInformative: step.isInformative
                )
                state.fixed(sample, at: GatheringScene.moment(step.second))
            }
            state.timePassed(to: GatheringScene.moment(900))
            return state.isLinked
        }
        #expect(after([(0, true, false), (300, true, false), (600, true, false)]))
        #expect(after([(0, true, true), (300, true, false)]))
        #expect(!after([(0, true, true), (30, false, false), (70, true, true)]))
        #expect(after([(0, true, true), (30, false, true), (70, true, true)]))
    }

    @Test("a fix that is delivered again proves nothing again", arguments: [true, false])
    func deliveredAgain(isNew: Bool) {
        var closing = LinkState.apart
        var opening = LinkState.linked
        for (second, isLower) in [(0.0, true), (1, false), (2, true), (3, false)] {
            let isFirst = second < 2
            closing.fixed(
                LinkState.Sample(isLower: isLower, isWithin: true, isBeyond: false, isNew: isFirst || isNew),
                at: GatheringScene.moment(second)
            )
            opening.fixed(
                LinkState.Sample(isLower: true, isWithin: false, isBeyond: true, isNew: second == 0 || isNew),
                at: GatheringScene.moment(second)
            )
        }
        #expect(closing.isLinked == isNew)
        opening.timePassed(to: GatheringScene.moment(60))
        #expect(opening.isLinked != isNew)
    }

    @Test(
        "two of whom neither moved are linked after 10 min unchallenged, and not by a few fixes",
        arguments: [(599.0, false), (600, true)]
    )
    func settled(until end: Double, isLinked: Bool) {
        var state = LinkState.apart
        for second in stride(from: 0, through: end, by: 1) {
            let sample = LinkState.Sample(
                isLower: Int(second) % 2 == 0,
                isWithin: true,
                isBeyond: false,
                isSettled: true
            )
            state.fixed(sample, at: GatheringScene.moment(second))
        }
        #expect(state.isLinked == isLinked)
    }
}

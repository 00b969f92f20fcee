import Testing

@testable import MusterCore

private let start = Timestamp(milliseconds: 1_800_000_000_000)

private struct Look: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: PushCheck.Decision
    var kind = NotificationKind.leftWithoutYou
    var later: Int64 = 5_000
    let change: @Sendable (inout PushCheck) -> Void
}

private let looks: [Look] = [
    Look(testDescription: "due", expected: .send) { _ in },
    Look(testDescription: "seen", expected: .drop(.seen)) { $0.isSeen = true },
    Look(testDescription: "left the group", expected: .drop(.left)) { $0.isMember = false },
    Look(testDescription: "expired", expected: .drop(.expired), later: 1_800_000) { _ in },
    Look(testDescription: "kind refused", expected: .drop(.unwanted)) {
        $0.settings.kinds["left_without_you"] = false
    },
    Look(testDescription: "spots are not chosen", expected: .drop(.unwanted), kind: .newSpot) { _ in },
    Look(testDescription: "spots are chosen", expected: .send, kind: .newSpot) {
        $0.settings.kinds["new_spot"] = true
    },
    Look(testDescription: "group muted for ever", expected: .drop(.muted)) {
        $0.settings.muted[GroupID(1)] = .some(nil)
    },
    Look(testDescription: "group muted till later", expected: .drop(.muted)) {
        $0.settings.muted[GroupID(1)] = .some(start + 10_000)
    },
    Look(testDescription: "group muted till now", expected: .send) {
        $0.settings.muted[GroupID(1)] = .some(start + 5_000)
    },
    Look(testDescription: "another group muted", expected: .send) { $0.settings.muted[GroupID(2)] = .some(nil) },
    Look(testDescription: "quiet hours of messages", expected: .drop(.quiet), kind: .messages) {
        $0.settings.quiet = QuietHours(start: 1320, end: 420, zone: "UTC")
        $0.minute = 1380
    },
    Look(testDescription: "quiet hours are not for alerts", expected: .send) {
        $0.settings.quiet = QuietHours(start: 1320, end: 420, zone: "UTC")
        $0.minute = 1380
    },
    Look(testDescription: "app open", expected: .wait(until: start + 60_000)) {
        $0.isInForeground = true
    },
    Look(testDescription: "app open, and still unseen", expected: .send, later: 60_000) {
        $0.isInForeground = true
        $0.hasWaited = true
    },
]

@Suite("Pushes") struct PushTests {
    private static func check(_ kind: NotificationKind = .leftWithoutYou, group: GroupID? = GroupID(1)) -> PushCheck {
        PushCheck(kind, group: group, at: start, expiresAt: start + 1_800_000)
    }

    @Test("the last look before sending decides", arguments: looks)
    fileprivate func lastLook(_ look: Look) {
        var check = Self.check(look.kind)
        look.change(&check)
        #expect(check.decide(at: start + look.later) == look.expected)
    }

    @Test(
        "hours over midnight, within a day, and none",
        arguments: [
            (1320, 420, 1319, false), (1320, 420, 1320, true), (1320, 420, 0, true), (1320, 420, 419, true),
            (1320, 420, 420, false), (60, 120, 59, false), (60, 120, 60, true), (60, 120, 120, false),
            (600, 600, 600, false),
        ]
    )
    func hours(_ start: Int, _ end: Int, _ minute: Int, _ isQuiet: Bool) {
        let hours = QuietHours(start: start, end: end, zone: "UTC")
        #expect(hours.silence("messages", at: minute) == isQuiet)
        #expect(!hours.silence("left_without_you", at: minute))
    }

    @Test("the minute of the day follows the offset, over both changes of clocks and before UTC's midnight")
    func minutes() {
        // 2026-03-29 00:59:30 and 01:00:30 UTC, in Berlin 01:59 and 03:00.
        #expect(QuietHours.minute(at: Timestamp(milliseconds: 1_774_745_970_000), offset: 3_600) == 119)
        #expect(QuietHours.minute(at: Timestamp(milliseconds: 1_774_746_030_000), offset: 7_200) == 180)
        // 2026-10-25 00:59:30 and 01:00:30 UTC: the hour from 02:00 comes twice.
        #expect(QuietHours.minute(at: Timestamp(milliseconds: 1_792_889_970_000), offset: 7_200) == 179)
        #expect(QuietHours.minute(at: Timestamp(milliseconds: 1_792_890_030_000), offset: 3_600) == 120)
        #expect(QuietHours.minute(at: Timestamp(milliseconds: 1_792_890_030_000), offset: -18_000) == 1200)
        for text in ["24:00", "7:00", "07:60", "07.00", "", "07:000"] { #expect(QuietHours.minute(text) == nil) }
        #expect(QuietHours.minute("07:05") == 425 && QuietHours.text(425) == "07:05")
    }

    @Test(
        "what follows from the answer of a push service",
        arguments: [
            (PushAnswer.status(201, retryAfter: nil), 1, false, PushOutcome.sent),
            (.status(404, retryAfter: nil), 1, false, .gone), (.status(410, retryAfter: nil), 9, false, .gone),
            (.rejected, 1, false, .gone),
            (.status(413, retryAfter: nil), 1, false, .retry(after: 0, withoutBody: true)),
            (.status(413, retryAfter: nil), 2, true, .failed(isRefusal: false)),
            (.status(503, retryAfter: nil), 1, false, .retry(after: 5_000, withoutBody: false)),
            (.status(503, retryAfter: nil), 2, false, .retry(after: 15_000, withoutBody: false)),
            (.status(500, retryAfter: nil), 3, true, .retry(after: 45_000, withoutBody: true)),
            (.silence, 6, false, .retry(after: 900_000, withoutBody: false)),
            (.silence, 1_000, false, .retry(after: 900_000, withoutBody: false)),
            (.status(429, retryAfter: 3_000_000), 1, false, .retry(after: 3_000_000, withoutBody: false)),
            (.status(401, retryAfter: nil), 1, false, .failed(isRefusal: true)),
            (.status(403, retryAfter: nil), 1, false, .failed(isRefusal: true)),
            (.forbidden, 1, false, .failed(isRefusal: true)),
            (.status(302, retryAfter: nil), 1, false, .failed(isRefusal: false)),
            (.status(400, retryAfter: nil), 1, false, .failed(isRefusal: false)),
        ]
    )
    func outcomes(_ answer: PushAnswer, _ attempt: Int, _ isWithoutBody: Bool, _ expected: PushOutcome) {
        #expect(PushOutcome(answer, attempt: attempt, isWithoutBody: isWithoutBody, random: 1) == expected)
    }

    @Test("delays are spread from a second on")
    func jitter() {
        let least = PushOutcome(.silence, attempt: 5, isWithoutBody: false, random: 0)
        #expect(least == .retry(after: 1_000, withoutBody: false))
        let half = PushOutcome(.silence, attempt: 2, isWithoutBody: false, random: 0.5)
        #expect(half == .retry(after: 7_500, withoutBody: false))
    }

    @Test("each language has the same placeholders in the same words", arguments: NotificationWords.allCases)
    func words(_ words: NotificationWords) {
        let english = words.template(in: .english).matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
        for language in Language.allCases {
            let template = words.template(in: language)
            #expect(template.matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted() == english)
            #expect(!template.isEmpty && template.count <= NotificationKind.longestText)
        }
    }

    @Test("a name with braces is not a placeholder")
    func names() {
        let text = NotificationWords.planProposed.text(in: .english, ["name": "{plan}", "plan": "{name}"])
        #expect(text == "{plan} proposes {name}")
    }

    @Test("an alert in German, with the decimal comma")
    func german() {
        let content = NotificationContent(
            kind: "left_without_you",
            group: GroupID(1),
            groupName: "Kletterer",
            at: start,
            payload: NotificationPayload([.init("variant", .text("gathered")), .init("distance", .number(2140))])
        )
        let text = NotificationKind.leftWithoutYou.text(of: content, in: .german)
        #expect(
            text.filter { !"\u{2068}\u{2069}".contains($0) } == "Kletterer sind ohne dich zusammen, 2,1 km entfernt"
        )
        #expect(content.pushTag == "left_without_you:1")
    }

    @Test(
        "the languages that browsers name",
        arguments: [("de", "de"), ("de-AT", "de"), ("DE_ch", "de"), ("fr", "en"), ("", "en")]
    )
    func languages(_ tag: String, _ language: String) { #expect(Language(tag: tag).rawValue == language) }
}

import Testing

@testable import MusterCore

@Suite struct OpeningHoursTests {
    /// A minute of the week.
    private static func minute(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Int { (day * 24 + hour) * 60 + minute }

    @Test(
        "says when it is open",
        arguments: [
            ("24/7", [(6, 23)], []),
            ("Mo-Fr 09:00-17:00", [(0, 9), (4, 16)], [(0, 8), (0, 17), (5, 12)]),
            ("Mo-Fr 09:00-12:00,13:00-17:00; Sa 10:00-14:00", [(2, 11), (5, 13)], [(2, 12), (6, 11)]),
            ("Mo-Su 10:00-22:00; We off", [(1, 10), (3, 21)], [(2, 12)]),
            ("10:00-18:00", [(0, 10), (6, 17)], [(3, 18)]),
            ("Fr,Sa 18:00-02:00", [(4, 23), (5, 1), (6, 1)], [(4, 1), (6, 2), (6, 20)]),
            ("Su 20:00-04:00", [(6, 20), (0, 3)], [(0, 4), (6, 3)]),
            ("Sa-Mo 08:00-10:00", [(5, 8), (6, 9), (0, 9)], [(1, 9)]),
            ("Mo-Fr 08:00-18:00, Sa 10:00-12:00", [(0, 8), (5, 11)], [(5, 13)]),
            ("Mo-Fr 08:00-10:00, Mo 12:00-14:00", [(0, 9), (0, 13)], [(1, 13)]),
            ("Mo-Su,PH 10:00-20:00; PH off", [(6, 19)], [(6, 20)]),
            ("PH,Sa-Su 10:00-20:00", [(5, 12)], [(0, 12)]),
            ("Tu 22:00-26:00", [(1, 23), (2, 1)], [(2, 2)]),
            ("mo - fr 09:00 - 17:00 ;", [(0, 9)], [(5, 9)]),
            ("Mo", [(0, 0), (0, 23)], [(1, 0)]),
            ("off", [], [(0, 12)]),
        ] as [(String, [(Int, Int)], [(Int, Int)])]
    )
    func open(_ text: String, _ open: [(Int, Int)], _ closed: [(Int, Int)]) throws {
        let hours = try #require(OpeningHours(text))
        for (day, hour) in open { #expect(hours.isOpen(at: Self.minute(day, hour)), "day \(day), \(hour):00") }
        for (day, hour) in closed { #expect(!hours.isOpen(at: Self.minute(day, hour)), "day \(day), \(hour):00") }
    }

    @Test(
        "is unknown where it says more than is read",
        arguments: [
            "", " ", "Apr-Sep 10:00-18:00", "Mo-Fr sunrise-sunset", "10:00-18:00+", "by appointment", "\"on request\"",
            "Mo[1] 10:00-12:00", "week 1-10 10:00-12:00", "Mo-Fr 25:00-26:00", "Mo-Fr 10:61-12:00", "Mo-Fr 10:00",
            "10-18",
            "Mo-Fr 10:00-18:00 || call us", "Mo-Fr 10:00-18:00,", "2024 Mo 10:00-12:00", "Mo-Fr 10:00-18:00 \"note\"",
        ]
    )
    func unknown(_ text: String) { #expect(OpeningHours(text) == nil) }

    @Test("says how long it stays open, over midnight and over the end of the week")
    func duration() throws {
        let nights = try #require(OpeningHours("Mo-Su 18:00-02:00"))
        #expect(nights.minutesOpen(from: Self.minute(0, 18)) == 480)
        #expect(nights.minutesOpen(from: Self.minute(6, 23)) == 180)
        #expect(nights.minutesOpen(from: Self.minute(0, 1, 30)) == 30)
        #expect(nights.minutesOpen(from: Self.minute(7, 1, 30)) == 30)
        #expect(nights.minutesOpen(from: Self.minute(3, 12)) == 0)
        #expect(OpeningHours("24/7")?.minutesOpen(from: Self.minute(2, 5)) == OpeningHours.week)
        #expect(OpeningHours("Mo-Fr 00:00-24:00")?.minutesOpen(from: Self.minute(3, 23)) == 25 * 60)
    }

    @Test("agrees with a look at every minute, whatever the rules are")
    func everyMinute() throws {
        var random = SeededGenerator(seed: 5)
        let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        for _ in 0..<100 {
            var open = [[Range<Int>]](repeating: [], count: 7)
            var rules: [String] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let day = Int.random(in: 0..<7, using: &random)
                let begin = Int.random(in: 0..<1440, using: &random)
                let end = begin + Int.random(in: 1...1440, using: &random)
                open[day] = [begin..<end]
                let text = { (minute: Int) in
                    let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : String($0) }
                    return parts.joined(separator: ":")
                }
                rules.append("\(names[day]) \(text(begin))-\(text(end == begin + 1440 ? begin : end % 1440))")
            }
            let hours = try #require(OpeningHours(rules.joined(separator: "; ")))
            for minute in stride(from: 0, to: OpeningHours.week, by: 7) {
                let isOpen = (0..<7).contains { day in
                    open[day].contains { span in
                        let inDay = minute - day * 1440
                        return span.contains(inDay) || span.contains(inDay + OpeningHours.week)
                    }
                }
                #expect(hours.isOpen(at: minute) == isOpen, "\(rules) at \(minute)")
            }
        }
    }
}

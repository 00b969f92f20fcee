import MusterTestSupport
import MusterWire
import Testing

/// The output of `muster replay --explain` about positions, pauses and absent members.
@Suite("The explanation of decisions", .blocking)
struct ReplayExplanationTests {
    /// Users at the café and others two kilometres away, who all report every 20 s.
    private static func evening(
        _ seconds: Int,
        here: [String],
        away: [String],
        with others: [(second: Int, line: String)] = []
    ) -> [String] {
        var events = others
        for second in stride(from: 0, to: seconds, by: 20) {
            for user in here { events.append((second, TraceFolder.fix(user, second, north: 0))) }
            for user in away { events.append((second, TraceFolder.fix(user, second, north: 2_000))) }
        }
        return events.enumerated().sorted { ($0.element.second, $0.offset) < ($1.element.second, $1.offset) }
            .map(\.element.line)
    }

    @Test("who pauses or blurs what they share is told so, and not that their position is old")
    func pause() throws {
        let choices = [(605, "paused"), (805, "live"), (1_005, "approximate")].map { second, mode in
            (second: second, line: TraceFolder.sharing("cy", second, mode))
        }
        let lines = Self.evening(1_200, here: ["ada", "bob", "cy"], away: [], with: choices)
        let folder = try TraceFolder()
        let output = try folder.replay([TraceFolder.group("ada", "bob", "cy")] + lines, ["--explain", "cy"])
        let reasons = try TraceFolder.reasons(output)
        #expect(reasons.contains("602 sharing is paused: not evaluated"), "\(reasons)")
        #expect(reasons.contains("802 sharing is live: evaluated"), "\(reasons)")
        #expect(reasons.contains("1002 sharing is approximate: not evaluated"), "\(reasons)")
        #expect(!reasons.contains { $0.contains("too old") }, "\(reasons)")
    }

    @Test("of a leap that the next fix confirms it is said that it was held, and then that it counts after all")
    func leap() throws {
        let before = Self.evening(600, here: ["ada", "bob", "cy"], away: [])
        let after = stride(from: 600, to: 800, by: 20).map { TraceFolder.fix("cy", $0, north: 40_000) }
        let folder = try TraceFolder()
        let output = try folder.replay([TraceFolder.group("ada", "bob", "cy")] + before + after, ["--explain", "cy"])
        let reasons = try TraceFolder.reasons(output)
        let held = reasons.firstIndex { $0.hasPrefix("600 ") && $0.hasSuffix(" is implausible") }
        let confirmed = reasons.firstIndex {
            $0.hasPrefix("620 ") && $0.hasSuffix(" becomes ok: the next fix agrees with it")
        }
        #expect(try #require(held, "\(reasons)") < #require(confirmed, "\(reasons)"))
        #expect(reasons.count { $0.contains("implausible") || $0.contains("becomes ok") } == 2, "\(reasons)")
    }

    @Test("two are missing where one may be: that is why nobody is told, until one of them comes")
    func manyMissing() throws {
        var lines = Self.evening(1_800, here: ["ada", "bob", "cy"], away: ["dan", "eve"])
        let walk = stride(from: 600, to: 1_800, by: 20).map { TraceFolder.fix("eve", $0, north: 2_000) }
        lines.removeAll { walk.contains($0) }
        for second in stride(from: 600, to: 1_800, by: 20) {
            let place = lines.firstIndex { $0.contains("\(TraceFolder.start + second * 1000)") } ?? lines.count
            let north = Double(max(0, 2_000 - (second - 600) * 5))
            lines.insert(TraceFolder.fix("eve", second, north: north), at: place)
        }
        let folder = try TraceFolder()
        let group = TraceFolder.group("ada", "bob", "cy", "dan", "eve")
        let reasons = try TraceFolder.reasons(try folder.replay([group] + lines, ["--explain", "dan"]))
        let words = reasons.map { $0.split(separator: " ", maxSplits: 1).last ?? "" }
        let many = words.firstIndex(of: "no alert: 2 missing, more than the limit of 1")
        let few = words.firstIndex(of: "1 missing, within the limit of 1: an alert is possible again")
        let received = words.firstIndex(of: "alert gathered")
        #expect(many != nil && few != nil && received != nil, "\(reasons)")
        #expect(
            [many ?? 2, few ?? 1, received ?? 0] == [many, few, received].compactMap { $0 }.sorted(),
            "\(reasons)"
        )
    }

    @Test("lines come in the order of their times, those of fixes and gatherings too")
    func order() throws {
        // Dan's fixes arrive a minute late, and some of them out of order.
        let late = stride(from: 20, to: 900, by: 30).map { second in
            let taken = second % 90 == 20 ? second - 70 : second
            let more = #","receivedAt":\#(TraceFolder.start + (second + 60) * 1000)"#
            return (second: second + 60, line: TraceFolder.fix("dan", taken, north: 2_000, more))
        }
        let lines = Self.evening(1_200, here: ["ada", "bob", "cy"], away: [], with: late)
        let folder = try TraceFolder()
        let group = TraceFolder.group("ada", "bob", "cy", "dan")
        let output = try TraceFolder.objects(try folder.replay([group] + lines, ["--explain", "dan"]))
        let times = output.map { $0["at"].int }
        #expect(times.allSatisfy { $0 != nil })
        #expect(times.compactMap { $0 } == times.compactMap { $0 }.sorted(), "\(times)")
        let fixes = output.filter { $0["what"].string?.hasSuffix("is out_of_order") == true }
        #expect(!fixes.isEmpty)
        #expect(fixes.allSatisfy { ($0["taken"].int ?? .max) < ($0["at"].int ?? 0) })
        let began = output.first { $0["type"].string == "gathering" }
        #expect(began?["at"].int == (began?["since"].int ?? 0) + 120_000)
    }

    @Test("of a device that does not lead it is said when that begins and when it ends, and not with each fix")
    func secondary() throws {
        let tablet = stride(from: 5, to: 1_200, by: 20).map { second in
            // From 905 s on the tablet moves too, so it becomes the leading device.
            let north = second < 900 ? 5_000.0 : 6_000.0
            return (second: second, line: TraceFolder.fix("cy", second, north: north, #","device":"tablet""#))
        }
        let lines = Self.evening(1_200, here: ["ada", "bob", "cy"], away: [], with: tablet)
        let folder = try TraceFolder()
        let group = TraceFolder.group("ada", "bob", "cy")
        let reasons = try TraceFolder.reasons(try folder.replay([group] + lines, ["--explain", "cy"]))
        let led = reasons.filter { $0.contains("is secondary") }
        #expect(led.count == 2, "the tablet first, then the phone: \(led)")
        #expect(led.first?.hasPrefix("5 fix 1 is secondary") == true, "\(led)")
        #expect(reasons.count { $0.hasSuffix("this device leads again") } == 1, "\(reasons)")
    }

    @Test("an explanation says times as times, with distances and ages, and ends with a sentence to pass on")
    func atTwo() throws {
        let far = stride(from: 0, to: 900, by: 20).map { (second: $0, line: TraceFolder.fix("eve", $0, north: 110)) }
        let lines = Self.evening(900, here: ["ada", "bob", "cy"], away: ["dan"], with: far)
        let folder = try TraceFolder()
        let group = TraceFolder.group("ada", "bob", "cy", "dan", "eve")
        let output = try TraceFolder.objects(try folder.replay([group] + lines, ["--explain", "dan"]))
        let explained = output.filter { $0["type"].string == "explanation" }
        #expect(explained.allSatisfy { $0["time"].string?.hasSuffix("Z") == true })
        let absent = try #require(explained.first { $0["what"].string?.hasPrefix("became absent") == true })
        #expect(1_800...2_200 ~= absent["metres"].int ?? 0 && 0...60 ~= absent["seconds"].int ?? -1)
        let last = try #require(explained.last?["what"].string)
        #expect(
            last.hasPrefix("In short: dan was alerted at 2") && last.contains("ada, bob, cy")
                && last.hasSuffix(" m away.")
        )
        #expect(explained.contains { $0["what"].string?.hasPrefix("a member became unknown") == true })
        #expect(last.contains(" at ") && absent["clause"].string == "absent" && absent["unit"].string == "metres")
        #expect(absent["limit"].double == 100 && (absent["value"].double ?? 0) > 1_800)
        let near = try TraceFolder.objects(try folder.replay([group] + lines, ["--explain", "eve"]))
        let band = near.filter { $0["what"].string?.contains("more than 100 m apart") == true }
        #expect(Set(band.compactMap { $0["with"].string }) == ["ada", "bob", "cy"], "\(near)")
    }

    @Test("a row of fixes that are judged alike is told once, with how many there were and how late")
    func rows() throws {
        let late = stride(from: 0, to: 800, by: 20).map { second in
            let more = #","receivedAt":\#(TraceFolder.start + (second + 1_500) * 1000)"#
            return (second: second + 1_500, line: TraceFolder.fix("cy", second, north: 0, more))
        }
        let lines = Self.evening(2_400, here: ["ada", "bob"], away: [], with: late)
        let folder = try TraceFolder()
        let reasons = try TraceFolder.reasons(
            try folder.replay([TraceFolder.group("ada", "bob", "cy")] + lines, ["--explain", "cy"])
        )
        #expect(reasons.count { $0.contains("is late") } == 1, "\(reasons)")
        #expect(
            reasons.contains { $0.hasSuffix("39 more like it up to fix 40: late, 1500 to 1500 s behind") },
            "\(reasons)"
        )
        #expect(!reasons.contains { $0.contains("more like it up to") && $0.contains(": ok") }, "\(reasons)")
    }
}

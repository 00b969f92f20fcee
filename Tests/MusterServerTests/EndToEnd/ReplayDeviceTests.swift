import MusterTestSupport
import MusterWire
import Testing

/// The device state of a replay: clock offsets that survive any silence, and device kinds.
@Suite("The devices of replays", .blocking)
struct ReplayDeviceTests {
    /// Three are at the café.
    ///
    /// The fourth's phone sleeps, and its clock is ahead.
    ///
    /// It reports from two kilometres away for ten minutes, then pings every quarter of an hour, and finally reports
    /// from the café.
    private static func dozing(ahead: Int, duplicating: Int? = nil) -> [String] {
        func arrived(_ second: Int) -> String { #","receivedAt":\#(TraceFolder.start + second * 1000)"# }
        func line(_ second: Int, north: Double, arriving: Int? = nil) -> String {
            let more = #","seq":\#(second + 1),"trigger":"ping"\#(arrived(arriving ?? second))"#
            return TraceFolder.fix("dan", second + ahead, north: north, more)
        }
        var events: [(second: Int, line: String)] = []
        for second in stride(from: 0, to: 7_200, by: 60) {
            for user in ["ada", "bob", "cy"] {
                events.append((second, TraceFolder.fix(user, second, north: 0, arrived(second))))
            }
        }
        for second in stride(from: 7, to: 600, by: 10) { events.append((second, line(second, north: 2_000))) }
        for second in stride(from: 907, to: 5_500, by: 900) { events.append((second, line(second, north: 2_000))) }
        for second in stride(from: 6_307, to: 7_200, by: 10) { events.append((second, line(second, north: 0))) }
        if let duplicating {
            events.append((duplicating, line(5_407, north: 2_000, arriving: duplicating)))
        }
        let lines = events.enumerated().sorted { ($0.element.second, $0.offset) < ($1.element.second, $1.offset) }
        return [TraceFolder.group("ada", "bob", "cy", "dan")] + lines.map(\.element.line)
    }

    @Test("a clock that was learned stays learned while the phone dozes", arguments: [50, 100, -50])
    func clock(ahead: Int) throws {
        let folder = try TraceFolder()
        let right = try folder.replay(Self.dozing(ahead: 0))
        #expect(try TraceFolder.objects(right).contains { $0["together"].elements.count == 4 })
        let wrong = try folder.replay(Self.dozing(ahead: ahead), ["--explain", "dan"])
        let decided = wrong.split(separator: "\n").filter { !$0.contains(#""explanation""#) }
        // The last two lines: Dan is with the others, and the end. Earlier lines may be decided before the clock offset
        // is known.
        #expect(decided.suffix(2) == right.split(separator: "\n").suffix(2))
        let futures = try TraceFolder.reasons(wrong).filter { $0.hasSuffix("is future") }
        #expect(futures.count == (ahead > 60 ? 1 : 0), "before three arrivals agree, told once for both: \(futures)")
    }

    @Test("a duplicate between two fixes of a dozing phone changes no byte", arguments: [5_600, 6_000, 6_290])
    func duplicate(second: Int) throws {
        let folder = try TraceFolder()
        let plain = try folder.replay(Self.dozing(ahead: 50), ["--explain", "dan"])
        #expect(try folder.replay(Self.dozing(ahead: 50, duplicating: second), ["--explain", "dan"]) == plain)
    }

    @Test("a browser at home gives way to the phone at the café when the trace says what they are")
    func kinds() throws {
        let folder = try TraceFolder()
        func lines(_ kind: String) -> [String] {
            [TraceFolder.group("ada", "bob", "cy")]
                + stride(from: 0, to: 900, by: 20).flatMap { second in
                    [
                        TraceFolder.fix("ada", second, north: 0), TraceFolder.fix("bob", second, north: 5),
                        TraceFolder.fix("cy", second, north: 2_000, #","device":"web"\#(kind)"#),
                        TraceFolder.fix("cy", second + 3, north: 3, #","device":"phone","kind":"phone""#),
                    ]
                }
        }
        let received = try TraceFolder.objects(try folder.replay(lines(#","kind":"browser""#)))
        #expect(received.first?["together"].elements.compactMap(\.string) == ["ada", "bob", "cy"])
        // Without device names they still count as two phones, and the earlier one leads.
        let taken = try TraceFolder.objects(try folder.replay(lines("")))
        #expect(taken.first?["together"].elements.compactMap(\.string) == ["ada", "bob"])
        let run = try MusterProcess.run(["replay", try folder.write(lines(#","kind":"toaster""#))])
        #expect(run.status == 0, "a malformed line is reported and skipped")
        #expect(run.log.contains("kind") && run.log.contains("browser"), "\(run.log)")
    }
}

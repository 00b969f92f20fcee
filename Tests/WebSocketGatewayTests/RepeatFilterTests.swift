import Testing

@testable import WebSocketGateway

@Suite("The library's lines in the log")
struct RepeatFilterTests {
    @Test("a line that strangers repeat comes once a minute, with the number of those left out")
    func repeats() {
        var filter = RepeatFilter()
        let line = "Ran out of header data space"
        #expect(filter.admit(line, now: 0) == 0)
        for now in 1...999 as ClosedRange<Int64> { #expect(filter.admit(line, now: now) == nil) }
        #expect(filter.admit("another", now: 1000) == 0)
        #expect(filter.admit(line, now: 60_000) == 999)
        #expect(filter.admit(line, now: 60_001) == nil)
        #expect(filter.admit(line, now: 200_000) == 1)
    }

    @Test("lines that differ in numbers are one")
    func numbers() {
        var filter = RepeatFilter()
        #expect(filter.admit("wsi 0x7f21 wrote 12 bytes", now: 0) == 0)
        #expect(filter.admit("wsi 0x80a0 wrote 13 bytes", now: 1) == nil)
        #expect(filter.admit("wsi 0x80a0 read 13 bytes", now: 2) == 0)
    }

    @Test("a stranger who always says something else fills nothing")
    func variety() {
        var filter = RepeatFilter()
        func word(_ number: Int) -> String { String(repeating: "x", count: number) }
        let lines = (1...1000).filter { filter.admit(word($0), now: 5) != nil }
        #expect(lines.count <= RepeatFilter.maximumKinds + 1)
        // The number of dropped entries is reported after a minute.
        #expect((1000...1100).compactMap { filter.admit(word($0), now: 70_000) }.reduce(0, +) >= 900)
    }
}

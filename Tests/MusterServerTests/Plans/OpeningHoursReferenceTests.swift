import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore

@Suite(
    "Opening hours of a whole town",
    .blocking,
    .enabled(if: FileManager.default.fileExists(atPath: ProviderFixture.extract))
)
struct OpeningHoursReferenceTests {
    @Test("are open when a library says so, at each hour of the week; nine of ten are read")
    func agreement() throws {
        let python = MusterProcess.checkout.appending(path: ".build/browser-tools/bin/python").path
        let script = MusterProcess.checkout.appending(path: "Tests/StandIns/week_of_hours.py").path
        let reference = try Tool.run(python, [script, ProviderFixture.extract], within: 60_000)
        try #require(reference.status == 0, "\(reference.output.suffix(300))")
        let lines = reference.output.split(separator: "\n")
        #expect(lines.count > 100)
        var read = 0
        for line in lines {
            let fields = line.split(separator: "\t", maxSplits: 1)
            let (week, value) = (Array(fields[0]), String(fields[1]))
            guard let hours = OpeningHours(value) else { continue }
            read += 1
            let ours = week.indices.map { hours.isOpen(at: $0 * 60) ? Character("o") : "c" }
            let different = week.indices.filter { week[$0] != "u" && week[$0] != ours[$0] }
            #expect(different.isEmpty, "\(value) at hours \(different)")
        }
        #expect(Double(read) >= 0.9 * Double(lines.count), "\(read) of \(lines.count) are read")
    }
}

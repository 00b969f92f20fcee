import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer

@Suite("The bundled page")
struct PageBundleTests {
    @Test("is used only while it was made of the files of the page")
    func sources() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "muster-bundle-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (page, folder) = (root.appending(path: "public"), root.appending(path: "made"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ path: String, _ text: String) throws {
            let file = page.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        let files = ["app/a.js", "app/a-b/c.js", "app/Z.css", "client/c.js", "muster.js", "style.css", "index.html"]
        for path in files { try write(path, "1 \(path)") }
        let bundle = PageBundle(folder: folder.path)
        #expect(!bundle.isMade(from: page.path))

        // As the script does it.
        let script = try String(contentsOf: MusterProcess.checkout.appending(path: "scripts/bundle"), encoding: .utf8)
        let start = try #require(script.range(of: "(cd public && find"))
        let end = try #require(script.range(of: "| sha256sum)", range: start.lowerBound..<script.endIndex))
        let command = "cd '\(root.path)'\n\(script[start.lowerBound..<end.upperBound]) >made/.sources"
        let made = try Tool.run("/bin/bash", ["-c", command])
        #expect(made.status == 0, "\(made.output)")
        #expect(bundle.isMade(from: page.path))

        // What is not in the bundle may change.
        try write("config.json", "{}")
        #expect(bundle.isMade(from: page.path))
        try write("app/a.js", "2 app/a.js")
        #expect(!bundle.isMade(from: page.path))
        try write("app/a.js", "1 app/a.js")
        #expect(bundle.isMade(from: page.path))
        try write("app/new.js", "")
        #expect(!bundle.isMade(from: page.path))
    }
}

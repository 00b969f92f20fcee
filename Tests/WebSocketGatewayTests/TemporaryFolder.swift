import Foundation

/// A folder that is deleted with its test.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("muster-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        self.path = place.path
    }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    func write(_ text: String, to name: String) throws {
        let place = URL(fileURLWithPath: self.path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: place)
    }
}

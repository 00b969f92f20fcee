import Foundation
import MusterTestSupport
import Testing

/// The foundation of other tests: waiting for a program must not depend on programs that other tests started.
@Suite("Programs that tests start")
struct ProgramStartTests {
    @Test("end for whoever waits for them, though others that stay start at the same time")
    func crowd() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-crowd-\(UUID().uuidString)").path
        let watchers = try await withThrowingTaskGroup(of: [FolderWatcher].self) { group in
            for number in 0..<4 {
                group.addTask {
                    try await onWorkerThread {
                        try (0..<25).map {
                            let scratch = "\(folder)-\(number)-\($0)"
                            return try FolderWatcher(cluster: scratch, scratch: scratch)
                        }
                    }
                }
                group.addTask {
                    try await onWorkerThread {
                        for _ in 0..<25 {
                            let tool = try Tool.run("/bin/echo", ["done"], within: 20_000)
                            #expect(tool.output == "done\n")
                        }
                        return []
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(watchers.count == 100)
    }
}

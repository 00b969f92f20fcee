import EventLoop
import MusterCore
import Synchronization

@testable import MusterServer

/// Records the inputs of an atlas.
final class AtlasRecorder: AtlasLink {
    private let inputs = Mutex<[AtlasInput]>([])

    var told: [AtlasInput] { self.inputs.withLock { $0 } }
    var metrics: AtlasReport { AtlasReport() }

    func send(contentsOf inputs: inout [AtlasInput]) {
        self.inputs.withLock { $0 += inputs }
        inputs.removeAll()
    }

    func unfollowed(_ topic: UnfollowedTopic) {}
}

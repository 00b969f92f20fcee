import EventLoop
import MusterCore
import Synchronization

@testable import MusterServer

/// Records the inputs of an atlas.
final class AtlasRecorder: AtlasLink {
    private let inputs = Mutex<[AtlasInput]>([])
    private let reads = Mutex<PendingAnswers<TileAnswer>?>(nil)

    var told: [AtlasInput] { self.inputs.withLock { $0 } }
    var metrics: AtlasReport { AtlasReport() }

    func send(contentsOf inputs: inout [AtlasInput]) {
        for case .reached(.request(let request)) in inputs {
            self.reads.withLock { $0 }?.resolve(request, .success(.done))
        }
        self.inputs.withLock { $0 += inputs }
        inputs.removeAll()
    }

    /// Answers the requests that wait for the atlas from now on.
    func answer(_ reads: PendingAnswers<TileAnswer>) { self.reads.withLock { $0 = reads } }

    func unfollowed(_ topic: UnfollowedTopic) {}
}

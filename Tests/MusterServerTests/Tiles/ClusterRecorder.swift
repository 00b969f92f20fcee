import EventLoop
import Synchronization

@testable import MusterCore
@testable import MusterServer

/// Records the inputs of a cluster service.
final class ClusterRecorder: ClusterLink {
    private let inputs = Mutex<[ClusterInput]>([])
    private let reads = Mutex<PendingAnswers<TileAnswer>?>(nil)

    var notified: [ClusterInput] { self.inputs.withLock { $0 } }
    var metrics: ClusterReport { ClusterReport() }

    func send(contentsOf inputs: inout [ClusterInput]) {
        for case .reached(.request(let request)) in inputs {
            self.reads.withLock { $0 }?.resolve(request, .success(.done))
        }
        self.inputs.withLock { $0 += inputs }
        inputs.removeAll()
    }

    /// Answers the requests that wait for the cluster service from now on.
    func answer(_ reads: PendingAnswers<TileAnswer>) { self.reads.withLock { $0 = reads } }

    func unfollowed(_ topic: UnfollowedTopic) {}
}

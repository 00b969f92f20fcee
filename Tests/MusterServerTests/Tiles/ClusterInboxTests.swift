import Synchronization
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct ClusterInboxTests {
    private static let layer = TileLayer.group(GroupID(1))

    private static func move(_ id: Int64, _ latitude: Double?, isNarrower: Bool = false) -> ClusterInput {
        let point = latitude.map { TilePoint(id: id, coordinate: Coordinate(latitude: $0, longitude: 0)) }
        return .moved(Self.layer, [TileMove(id: id, point: point, isNarrower: isNarrower)])
    }

    @Test("its owner is woken once a batch")
    func wakes() {
        let count = Mutex(0)
        let inbox = ClusterInbox { count.withLock { $0 += 1 } }
        for _ in 0..<3 {
            var nothing: [ClusterInput] = []
            for _ in 0..<5 { inbox.send(contentsOf: &nothing) }
            var inputs = [Self.move(1, 1)]
            inbox.send(contentsOf: &inputs)
            inputs = [.ended(SessionID(1))]
            inbox.send(contentsOf: &inputs)
            var backlog = ClusterBacklog()
            inbox.drain(into: &backlog)
            var batch: [ClusterInput] = []
            backlog.dequeue(into: &batch)
            #expect(batch.count == 2)
        }
        #expect(count.withLock { $0 } == 3)
    }
}

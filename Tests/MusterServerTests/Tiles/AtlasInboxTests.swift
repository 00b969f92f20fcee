import MusterCore
import Synchronization
import Testing

@testable import MusterServer

@Suite struct AtlasInboxTests {
    private static let layer = TileLayer.group(GroupID(1))

    private static func move(_ id: Int64, _ latitude: Double?, isNarrower: Bool = false) -> AtlasInput {
        let point = latitude.map { TilePoint(id: id, coordinate: Coordinate(latitude: $0, longitude: 0)) }
        return .moved(Self.layer, [TileMove(id: id, point: point, isNarrower: isNarrower)])
    }

    private static func drained(_ inputs: [AtlasInput]) -> [AtlasInput] {
        let inbox = AtlasInbox {}
        for input in inputs {
            var one = [input]
            inbox.send(contentsOf: &one)
        }
        var batch: [AtlasInput] = []
        inbox.drain(into: &batch)
        return batch
    }

    @Test("of each point the last word counts, and that somebody hid in between is not forgotten")
    func conflation() {
        let inputs = [Self.move(2, 1), Self.move(1, 1), Self.move(1, nil, isNarrower: true), Self.move(1, 3)]
        let first = TilePoint(id: 1, coordinate: Coordinate(latitude: 3, longitude: 0))
        let second = TilePoint(id: 2, coordinate: Coordinate(latitude: 1, longitude: 0))
        #expect(
            Self.drained(inputs) == [
                .moved(
                    Self.layer,
                    [
                        TileMove(id: 1, point: first, isNarrower: true),
                        TileMove(id: 2, point: second, isNarrower: false),
                    ]
                )
            ]
        )
    }

    @Test("however much moves, what waits is bounded by how many points there are")
    func bound() {
        let inputs = (0..<10_000).map { Self.move(Int64($0 % 7), Double($0 % 80)) }
        guard case .moved(_, let moves) = Self.drained(inputs).first else {
            Issue.record("moves arrive")
            return
        }
        #expect(moves.count == 7)
    }

    @Test("a layer that opens anew or closes voids what was told of it before, and nothing else loses its order")
    func order() {
        let ended = AtlasInput.ended(SessionID(3))
        #expect(Self.drained([Self.move(1, 1), .closed(Self.layer), ended]) == [.closed(Self.layer), ended])
        #expect(
            Self.drained([ended, Self.move(1, 1), .opened(Self.layer, []), Self.move(1, nil)]) == [
                ended, .opened(Self.layer, []), Self.move(1, nil),
            ]
        )
    }

    @Test("its owner is woken once a batch")
    func wakes() {
        let count = Mutex(0)
        let inbox = AtlasInbox { count.withLock { $0 += 1 } }
        var batch: [AtlasInput] = []
        for _ in 0..<3 {
            for _ in 0..<5 { inbox.send(contentsOf: &batch) }
            var inputs = [Self.move(1, 1)]
            inbox.send(contentsOf: &inputs)
            inputs = [.ended(SessionID(1))]
            inbox.send(contentsOf: &inputs)
            inbox.drain(into: &batch)
            #expect(batch.count == 2)
            batch = []
        }
        #expect(count.withLock { $0 } == 3)
    }
}

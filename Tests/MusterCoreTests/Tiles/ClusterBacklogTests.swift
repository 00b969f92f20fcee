import Testing

@testable import MusterCore

@Suite struct ClusterBacklogTests {
    private static let layer = TileLayer.group(GroupID(1))

    private static func move(_ id: Int64, _ latitude: Double?, isNarrower: Bool = false) -> TileMove {
        let point = latitude.map { TilePoint(id: id, coordinate: Coordinate(latitude: $0, longitude: 0)) }
        return TileMove(id: id, point: point, isNarrower: isNarrower)
    }

    private static func moved(_ id: Int64, _ latitude: Double?, isNarrower: Bool = false) -> ClusterInput {
        .moved(Self.layer, [Self.move(id, latitude, isNarrower: isNarrower)])
    }

    private static func backlog(_ inputs: [ClusterInput]) -> ClusterBacklog {
        var backlog = ClusterBacklog()
        for input in inputs { backlog.add(input) }
        return backlog
    }

    private static func batches(of backlog: ClusterBacklog) -> [[ClusterInput]] {
        var backlog = backlog
        var batches: [[ClusterInput]] = []
        var batch: [ClusterInput] = []
        while !backlog.isEmpty {
            backlog.dequeue(into: &batch)
            batches.append(batch)
        }
        return batches
    }

    @Test("of each point the last word counts, and that somebody hid in between is not forgotten")
    func conflation() {
        let inputs = [Self.moved(2, 1), Self.moved(1, 1), Self.moved(1, nil, isNarrower: true), Self.moved(1, 3)]
        let wanted = ClusterInput.moved(Self.layer, [Self.move(1, 3, isNarrower: true), Self.move(2, 1)])
        #expect(Self.batches(of: Self.backlog(inputs)) == [[wanted]])
    }

    @Test("however much moves, what waits is bounded by how many points there are")
    func bound() {
        let backlog = Self.backlog((0..<10_000).map { Self.moved(Int64($0 % 7), Double($0 % 80)) })
        guard case .moved(_, let moves) = Self.batches(of: backlog).first?.first else {
            Issue.record("moves arrive")
            return
        }
        #expect(moves.map(\.id) == Array(0..<7))
    }

    @Test("a layer that opens anew or closes voids what was told of it before, and nothing else loses its order")
    func order() {
        let ended = ClusterInput.ended(SessionID(3))
        let closed = Self.backlog([Self.moved(1, 1), .closed(Self.layer), ended])
        #expect(Self.batches(of: closed) == [[.closed(Self.layer), ended]])
        let opened = [ended, Self.moved(1, 1), .opened(Self.layer, []), Self.moved(1, nil)]
        #expect(Self.batches(of: Self.backlog(opened)) == [[ended, .opened(Self.layer, []), Self.moved(1, nil)]])
        // The same for moves from another backlog.
        var both = Self.backlog([Self.moved(1, 1), Self.moved(2, 1, isNarrower: true)])
        both.add(Self.backlog([.closed(Self.layer), ended]))
        #expect(Self.batches(of: both) == [[.closed(Self.layer), ended]])
        var behind = Self.backlog([Self.moved(1, 1)])
        behind.add(Self.backlog([Self.moved(2, 2), Self.moved(1, 9)]))
        #expect(Self.batches(of: behind) == [[.moved(Self.layer, [Self.move(1, 9), Self.move(2, 2)])]])
    }

    @Test("many moves are spread over batches, and none of them keeps anything else waiting, nor one that narrows")
    func bites() {
        var random = SeededGenerator(seed: 1)
        let last = 100_000 as Int64
        var newest: [Int64: TileMove] = [:]
        var backlog = Self.backlog([.moved(Self.layer, (1...last).map { Self.move($0, 1) })])
        var batch: [ClusterInput] = []
        var taken = 0
        var number = 0
        while !backlog.isEmpty {
            number += 1
            // One point is hidden, and one moves again.
            let (hidden, again) = (
                Int64.random(in: 1...last, using: &random), Int64.random(in: 1...last, using: &random)
            )
            let ended = ClusterInput.ended(SessionID(Int64(number)))
            for input in [Self.moved(hidden, nil, isNarrower: true), Self.moved(again, 2), ended] where number < 20 {
                backlog.add(input)
            }
            backlog.dequeue(into: &batch)
            if number < 20 { #expect(batch.first == ended) }
            let moves = batch.flatMap { (input) -> [TileMove] in
                if case .moved(_, let moves) = input { moves } else { [] }
            }
            if number < 20, hidden != again { #expect(moves.first == Self.move(hidden, nil, isNarrower: true)) }
            #expect(moves.count <= ClusterBacklog.movesAtOnce + 2)
            taken += moves.count
            for move in moves { newest[move.id] = move }
        }
        #expect(number == 25)
        #expect(newest.count == Int(last) && taken < Int(last) + 40)
    }
}

import MusterTestSupport
import Testing

@testable import MusterCore

/// A world, the cluster service that receives its group changes, and members who subscribe to tiles.
private struct SharedMap {
    static let people: [Int64] = Array(1...6)
    static let group = GroupID(1)
    static let layer = TileLayer.group(Self.group)

    var world = WorldUnderTest()
    var clusters = ClusterServiceUnderTest()
    var backlog = ClusterBacklog()
    var random: SeededGenerator
    var revision: Int64 = 1
    var members: [Int64] = Self.people
    var sharing: [Int64: Sharing] = [:]
    var sequences: [Int64: Int64] = [:]
    /// Whether the last effects of the world reduce the visibility of a member.
    var isNarrower = false

    init(seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
        for person in Self.people { self.world.open(person, user: person, members: [1: Self.people]) }
    }

    /// Applies inputs to the world and passes its effects to the cluster service.
    mutating func iterate(_ inputs: [WorldInput]) {
        let effects = self.world.iterate(inputs)
        self.clusters.now = self.world.now
        for case .clusters(let input) in effects { self.backlog.add(input) }
        var inputs: [ClusterInput] = []
        self.backlog.dequeue(into: &inputs)
        self.isNarrower = inputs.contains { input in
            if case .moved(_, let moves) = input { moves.contains { $0.isNarrower } } else { false }
        }
        self.clusters.iterate(inputs)
    }

    mutating func subscribe(_ person: Int64, zoom: Int) {
        let cover = TileCover(zoom: zoom, west: 7.9, south: 49.9, east: 8.1, north: 50.1)
        self.iterate([
            .tilesAsked(
                ClusterRequest(
                    asker: .session(SessionID(person), .number(1)),
                    user: UserID(person),
                    layer: Self.layer,
                    question: .subscribe(cover)
                )
            )
        ])
    }

    /// The positions that the roster shows.
    var shown: [Int64: TilePoint] {
        var shown: [Int64: TilePoint] = [:]
        for member in self.world.world.roster(of: Self.group)?.members ?? [] {
            guard let coordinate = member.position?.coordinate else { continue }
            shown[member.user.rawValue] = TilePoint(
                id: member.user.rawValue,
                coordinate: coordinate,
                values: PointValues([member.profile?.name])
            )
        }
        return shown
    }

    /// Runs one random event.
    mutating func step() {
        self.world.now = self.world.now + 1000
        let person = Int64.random(in: 1...6, using: &self.random)
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0, 1, 2, 3:
            self.sequences[person, default: 0] += 1
            let fix = self.world.fix(
                self.sequences[person, default: 0],
                lat: 50 + Double.random(in: -0.0005...0.0005, using: &self.random),
                lon: 8 + Double.random(in: -0.0005...0.0005, using: &self.random)
            )
            self.iterate([WorldUnderTest.report(person, fix)])
        case 4, 5, 6:
            let mode: Sharing.Mode = [.live, .approximate, .paused].randomElement(using: &self.random) ?? .live
            self.sharing[person] = Sharing(mode: mode)
            self.change()
        case 7:
            if self.members.contains(person) {
                self.members.removeAll { $0 == person }
            } else {
                self.members.append(person)
            }
            self.change()
        case 8:
            self.subscribe(person, zoom: Int.random(in: 0...18, using: &self.random) / 6 * 6)
        case 9, 10:
            self.changeWhileAsked()
        case _:
            self.clusters.now = self.world.now
            self.clusters.tick()
        }
    }

    private mutating func change() { self.iterate([self.nextRevision()]) }

    private mutating func nextRevision() -> WorldInput {
        self.revision += 1
        let snapshot = WorldUnderTest.group(
            1,
            revision: self.revision,
            members: self.members,
            sharing: self.sharing
        )
        return .groupChanged(snapshot, answer: nil)
    }

    /// Changes the sharing of members and requests all data of a map, in one batch and in random order.
    private mutating func changeWhileAsked() {
        guard let member = self.members.first, let tile = TileAddress(zoom: 0, x: 0, y: 0) else { return }
        var questions: [ClusterQuestion] = [.tile(tile)]
        for entry in ClusterServiceUnderTest.fresh(self.shown, .group, tile).values {
            guard case .cluster(let name) = entry.feature.content else { continue }
            questions += [.cluster(name.description), .leaves(name.description, after: nil, limit: 100)]
        }
        let request = { (question: ClusterQuestion) in
            ClusterRequest(asker: .request(1), user: UserID(member), layer: Self.layer, question: question)
        }
        for person in Self.people where Bool.random(using: &self.random) {
            let mode: Sharing.Mode = [.live, .approximate, .paused].randomElement(using: &self.random) ?? .live
            self.sharing[person] = Sharing(mode: mode)
        }
        var inputs = questions.map { WorldInput.tilesAsked(request($0)) } + [self.nextRevision()]
        inputs.shuffle(using: &self.random)
        self.iterate(inputs)
    }
}

@Suite struct ClusterSharingTests {
    @Test(
        "who pauses, leaves, is removed or turns approximate is in no tile, count, leaf or box from the end of the turn on",
        arguments: 1...25 as ClosedRange<UInt64>
    )
    func nobodyIsShownWhoHides(seed: UInt64) {
        var map = SharedMap(seed: seed)
        var (compared, subscribed, notified) = (0, 0, 0)
        for person in SharedMap.people.prefix(3) { map.subscribe(person, zoom: Int(person) * 6 - 6) }
        for _ in 0..<150 {
            map.step()
            let shown = map.shown
            notified += Self.expectAnswers(of: map, shown, seed)
            for (session, layers) in map.clusters.views {
                let isMember = map.members.contains(session.rawValue)
                for (tile, view) in layers[SharedMap.layer] ?? [:] {
                    subscribed += 1
                    #expect(isMember, "\(session) is told of a group that they are not in, seed \(seed)")
                    for entry in view.values {
                        guard case .point(let id) = entry.feature.content else { continue }
                        #expect(shown[id] != nil, "\(id) is shown and hides, seed \(seed)")
                    }
                    #expect(view.values.reduce(0) { $0 + $1.feature.count } <= shown.count)
                    guard map.isNarrower else { continue }
                    compared += 1
                    #expect(view == ClusterServiceUnderTest.fresh(shown, .group, tile), "seed \(seed)")
                }
            }
            self.expectReadings(of: &map, shown, seed)
        }
        #expect(compared > 10 && subscribed > 50 && notified > 0, "seed \(seed) covers something")
    }

    /// Checks that every answer of the batch shows only points that are visible at its end.
    ///
    /// - Returns: the number of clusters and leaves in the answers.
    private static func expectAnswers(of map: SharedMap, _ shown: [Int64: TilePoint], _ seed: UInt64) -> Int {
        let places = shown.mapValues { MercatorPoint($0.coordinate) }
        var notified = 0
        for answer in map.clusters.answers {
            switch answer {
            case .tile(_, let content):
                let entries = Dictionary(uniqueKeysWithValues: content.entries.map { ($0.feature.entryKey, $0) })
                #expect(entries == ClusterServiceUnderTest.fresh(shown, .group, content.tile), "seed \(seed)")
            case .cluster(_, let summary):
                notified += 1
                #expect(summary.count <= shown.count, "seed \(seed)")
                let (columns, rows) = (Set(places.values.map(\.x)), Set(places.values.map(\.y)))
                #expect(columns.isSuperset(of: [summary.bounds.northWest.x, summary.bounds.southEast.x]))
                #expect(rows.isSuperset(of: [summary.bounds.northWest.y, summary.bounds.southEast.y]), "seed \(seed)")
            case .leaves(_, _, let points, _):
                notified += 1
                for point in points {
                    // A coordinate and its map point are equal, within one unit of the map.
                    let (place, wanted) = (MercatorPoint(point.coordinate), places[point.id])
                    let isShown = wanted.map { wanted in
                        max(wanted.x, place.x) - min(wanted.x, place.x) <= 1
                            && max(wanted.y, place.y) - min(wanted.y, place.y) <= 1
                    }
                    #expect(isShown == true, "\(point.id) is told of and hides, seed \(seed)")
                }
            case .refused, .confirmed, .done, .layerUnsubscribed, .subscribed, .unsubscribed, .changed, .closed: break
            }
        }
        return notified
    }

    /// An HTTP query of the cluster service always returns the current state.
    private func expectReadings(of map: inout SharedMap, _ shown: [Int64: TilePoint], _ seed: UInt64) {
        guard let member = map.members.first, let tile = TileAddress(zoom: 0, x: 0, y: 0) else { return }
        func ask(_ question: ClusterQuestion, _ map: inout SharedMap) -> ClusterEffect? {
            let request = ClusterRequest(
                asker: .request(1),
                user: UserID(member),
                layer: SharedMap.layer,
                question: question
            )
            map.iterate([.tilesAsked(request)])
            return map.clusters.answers.last
        }
        guard case .tile(_, let content) = ask(.tile(tile), &map) else {
            Issue.record("a tile was asked for, seed \(seed)")
            return
        }
        let fresh = ClusterServiceUnderTest.fresh(shown, .group, tile)
        #expect(Dictionary(uniqueKeysWithValues: content.entries.map { ($0.feature.entryKey, $0) }) == fresh)
        for entry in content.entries {
            guard case .cluster(let name) = entry.feature.content else { continue }
            guard case .cluster(_, let summary) = ask(.cluster(name.description), &map),
                case .leaves(_, _, let points, nil) = ask(.leaves(name.description, after: nil, limit: 100), &map)
            else {
                Issue.record("what a tile shows can be asked for, seed \(seed)")
                continue
            }
            #expect(summary.count == points.count)
            #expect(Set(points.map(\.id)) == Set(shown.keys))
            let places = shown.values.map { MercatorPoint($0.coordinate) }
            #expect(summary.bounds.northWest.x == places.map(\.x).min())
            #expect(summary.bounds.southEast.x == places.map(\.x).max())
            #expect(summary.bounds.northWest.y == places.map(\.y).min())
        }
    }
}

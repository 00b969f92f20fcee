import Testing
import TileModels

@testable import MusterCore

@Suite struct ClusterStoryTests {
    @Test("who pages through a cluster while others move gets all that stay, each once")
    func paging() throws {
        var random = SeededGenerator(seed: 7)
        var clusterIndex = ClusterIndex(naming: .cell)
        let center = MercatorPoint(x: 3 << 29, y: 3 << 29)
        // All within one cell of zoom 8, so that they remain one cluster.
        func place() -> MercatorPoint {
            MercatorPoint(
                x: center.x + .random(in: 100_000..<900_000, using: &random),
                y: center.y + .random(in: 100_000..<900_000, using: &random)
            )
        }
        for id in 1...1000 as ClosedRange<Int64> { clusterIndex.put(id, at: place()) }
        let tile = center.tile(zoom: 8)
        let features = clusterIndex.features(in: tile)
        let feature = try #require(features.first)
        guard case .cluster(let name) = feature.content else {
            Issue.record("a thousand points in a cell are a cluster")
            return
        }
        var read: [Int64] = []
        var cursor: LeafCursor?
        repeat {
            let answer = clusterIndex.leaves(of: name, after: cursor, limit: 13)
            let page = try #require(answer)
            read += page.points
            // The cursor is converted to text and back, as a client returns it.
            cursor = page.next.flatMap { LeafCursor($0.description) }
            for _ in 0..<50 { clusterIndex.put(Int64.random(in: 501...1000, using: &random), at: place()) }
        } while cursor != nil
        #expect(read.filter { $0 <= 500 }.sorted() == Array(1...500))
    }

    @Test("two who walk together across cells stay one cluster of the same name")
    func walking() {
        var clusterIndex = ClusterIndex(naming: .leastMember)
        var names: Set<ClusterName> = []
        var cells: Set<MercatorPoint> = []
        for step in 0..<200 as Range<UInt32> {
            let place = MercatorPoint(x: 2_343_432_205 + step * 700, y: 1_489_700_000 + step * 300)
            clusterIndex.put(7, at: place)
            clusterIndex.put(9, at: MercatorPoint(x: place.x + 100, y: place.y))
            cells.insert(MercatorPoint(x: place.x >> 12, y: place.y >> 12))
            for feature in clusterIndex.features(in: place.tile(zoom: 12)) {
                if case .cluster(let name) = feature.content { names.insert(name) }
            }
        }
        #expect(cells.count > 20)
        #expect(names == [.leastMember(zoom: 12, 7)])
    }

    @Test("a cluster that is no more is not found, whatever its name")
    func gone() {
        var clusterIndex = ClusterIndex(naming: .cell)
        let place = MercatorPoint(x: 2_343_432_205, y: 1_489_700_000)
        clusterIndex.put(1, at: place)
        clusterIndex.put(2, at: place)
        let shift = UInt32(ClusterRule.cellShift(zoom: 12))
        let name = ClusterName.cell(zoom: 12, x: Int(place.x >> shift), y: Int(place.y >> shift))
        let both = clusterIndex.cluster(name)
        #expect(both?.count == 2)
        #expect(both?.expansionZoom == 17, "they are at one place")
        let other = clusterIndex.cluster(.leastMember(zoom: 12, 1))
        #expect(other == nil, "clusters of this layer are named by cells")
        clusterIndex.remove(2)
        let (one, page) = (clusterIndex.cluster(name), clusterIndex.leaves(of: name, after: nil, limit: 10))
        #expect(one == nil)
        #expect(page == nil)
        let nowhere = clusterIndex.cluster(.cell(zoom: 12, x: 0, y: 0))
        #expect(nowhere == nil)
    }

    @Test("a swap of two points at one place is a change of the tile")
    func swapped() {
        var clusterIndex = ClusterIndex(naming: .cell)
        let place = MercatorPoint(x: 2_343_432_205, y: 1_489_700_000)
        let elsewhere = MercatorPoint(x: 1, y: 1)
        clusterIndex.put(1, at: place)
        clusterIndex.put(2, at: elsewhere)
        let tile = place.tile(zoom: 10)
        clusterIndex.subscribe(tile)
        clusterIndex.put(1, at: elsewhere)
        clusterIndex.put(2, at: place)
        let changed = clusterIndex.nextChangedTile()
        #expect(changed == tile)
        let content = clusterIndex.features(in: tile).map(\.content)
        #expect(content == [.point(2)])
        let next = clusterIndex.nextChangedTile()
        #expect(next == nil)
    }

    @Test("reading a changed tile does not take the news of it from those who watch")
    func readBefore() {
        var clusterIndex = ClusterIndex(naming: .cell)
        let place = MercatorPoint(x: 2_343_432_205, y: 1_489_700_000)
        for zoom in [10, 20] {
            let tile = place.tile(zoom: zoom)
            clusterIndex.subscribe(tile)
            clusterIndex.put(1, at: place)
            let count = clusterIndex.features(in: tile).count
            #expect(count == 1)
            var news = [clusterIndex.nextChangedTile(), clusterIndex.nextChangedTile()]
            #expect(news == [tile, nil])
            clusterIndex.remove(1)
            clusterIndex.put(1, at: place)
            news = [clusterIndex.nextChangedTile()]
            #expect(news == [nil], "there and back is no change")
            clusterIndex.remove(1)
            news = [clusterIndex.nextChangedTile()]
            #expect(news == [tile])
            clusterIndex.unsubscribe(tile)
        }
    }
}

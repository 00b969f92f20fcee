import EventLoop
import ImagingWire
import MusterCore
import WebSocketGateway

/// The streets of the imported map below share pictures.
///
/// A tile that is damaged or too large is left out, and the picture is drawn without it.
struct ShareStreets: Sendable {
    private let node: ServerNode
    private let map: StreetMap
    private let reads: BlockingPool

    init(_ node: ServerNode, _ map: StreetMap, reads: BlockingPool) {
        self.node = node
        self.map = map
        self.reads = reads
    }

    /// Returns the picture with the streets around its people; unchanged when the map has none there.
    func add(to picture: SharePicture) async -> SharePicture {
        guard let edition = self.map.edition else { return picture }
        let map = ShareMap(showing: picture.people.map(\.place))
        let wanted = map.tiles(upTo: edition.zooms.upperBound)
        guard let zoom = wanted.first?.zoom, edition.zooms ~= zoom,
            let found = await self.reads.job({ self.read(wanted, edition) }), !found.isEmpty
        else { return picture }
        let parts = edition.parts(on: map)
        guard !parts.isEmpty else { return picture }
        var picture = picture
        picture.tiles = found
        picture.parts = parts
        // A letter has at most 4 bytes.
        let attribution = "Muster · \(edition.plainAttribution)".unicodeScalars.prefix(SharePicture.longestText / 4)
        picture.tileAttribution = String(String.UnicodeScalarView(attribution))
        return picture
    }

    /// Reads tiles, without compression.
    private func read(_ tiles: [TileAddress], _ edition: MapEdition) -> [SharePicture.Tile] {
        tiles.compactMap { tile in
            do throws(MapError) {
                guard let content = try edition.tile(tile) else { return nil }
                guard let plain = Gzip.inflated(content, limit: SharePicture.longestTile) else {
                    throw MapError(
                        .unreadable,
                        "the tile \(tile) of the map is damaged, or larger than \(SharePicture.longestTile >> 10) kB: import the map again"
                    )
                }
                return SharePicture.Tile(tile, file: plain)
            } catch {
                if self.node.requestLines.admits("share picture") {
                    self.node.logger.warning(
                        "a share picture is drawn without a tile of the map",
                        ["error": .text(error.message)]
                    )
                }
                return nil
            }
        }
    }
}

extension MapEdition {
    /// Returns the rectangles of the parts that are on a picture.
    fileprivate func parts(on map: ShareMap) -> [SharePicture.Part] {
        let parts = self.parts.map(\.file.header.bounds).filter { bounds in
            // A file of another program may have any numbers.
            Coordinate.longitudes ~= bounds.west && bounds.west...180 ~= bounds.east
                && Coordinate.latitudes ~= bounds.south && bounds.south...90 ~= bounds.north
        }.map { SharePicture.Part(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
        let seen = parts.filter { part in
            [-1.0, 0, 1].contains { map.box(of: part, copy: $0).overlap(with: ShareMap.picture) > 0 }
        }
        return Array(seen.prefix(SharePicture.mostParts))
    }
}

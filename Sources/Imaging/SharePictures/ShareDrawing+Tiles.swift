import ImagingWire

extension ShareDrawing {
    /// The opacity of tiles on white, so that badges and lines stand out.
    static let tileOpacity = 0.8

    /// Draws the tiles over the land or the grid, which shows where a tile is missing.
    func drawTiles() {
        guard !self.tiles.isEmpty else { return }
        self.canvas.add(self.map.shownWorld)
        self.canvas.withinPath {
            for tile in self.tiles {
                for copy in [-1.0, 0, 1] {
                    let box = self.map.box(of: tile.place, copy: copy)
                    guard box.overlap(with: ShareMap.picture) > 0 else { continue }
                    self.canvas.add(box)
                    self.canvas.ink(Ink.paper)
                    self.canvas.fill()
                    self.canvas.draw(tile.pixels, side: SharePicture.Tile.side, filling: box, opacity: Self.tileOpacity)
                }
            }
        }
    }
}

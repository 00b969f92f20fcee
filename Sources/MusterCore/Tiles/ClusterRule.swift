// Clusters are a pure function of the points, so incremental updates give the same result as a new computation. All
// arithmetic is in integers.
//
// At zooms 0…16 the map is divided into cells, a sixteenth of a tile's side each.
// 1. A cell's weight is its number of points; its place is their mean, rounded down.
// 2. Cells are evaluated from the heaviest down, and by descending hash if equally heavy. A cell becomes a centre
//    unless its place is nearer than r to that of a centre. r is 40/512 of a tile's side, 1.25 cells.
// 3. Every other cell is assigned to the nearest centre, which is nearer than r; if equally near, to the one with the
//    greater hash.
// 4. A feature is a centre with its cells. It is at the centre's place, and counts the points of all its cells. It
//    belongs to the tile of that place.
//
// So each point is in one feature at each zoom, and no two features are nearer than r. The state of a cell depends on
// few others, because places nearer than r are at most two cells apart. From zoom 17 on, tiles show their points
// individually. If there are more than 256, they show their cells, one feature each.

/// The constants of the rule that turns points into clusters.
package enum ClusterRule {
    /// The zooms at which points are clustered; above these, points are shown individually.
    package static let zooms = 0...16
    /// The largest number of points that a tile above those zooms shows individually.
    package static let rawLimit = 256
    /// The binary logarithm of the number of cells on a tile's side.
    static let cellBits = 4

    /// The range of cell columns and rows at a zoom.
    package static func cells(zoom: Int) -> Range<Int> { 0..<(1 << (zoom + self.cellBits)) }

    /// The shift in bits from a map coordinate to its cell; a cell's side is 2 to this power.
    package static func cellShift(zoom: Int) -> Int { 32 - self.cellBits - zoom }

    /// The square of the least distance between features of a zoom, (40/512 of a tile's side)² = (5 · 2²⁶⁻ᶻ)².
    package static func squaredRadius(zoom: Int) -> Int64 { 25 << (52 - 2 * zoom) }

    /// Returns a pseudo-random number of a cell, which decides between cells of equal weight.
    ///
    /// The order of columns and rows would not work: where many cells are alike, a change of one would change the next,
    /// and so on across the map. The function is one step of SplitMix64 (Steele, Lea and Flood, 2014).
    package static func hash(zoom: Int, x: Int, y: Int) -> UInt64 {
        let cell = UInt64(zoom) << 58 ^ UInt64(x) << 29 ^ UInt64(y)
        var value = cell &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

// Clusters are a pure function of the points: what is kept up to date equals what is built anew. All of it is integers.
//
// At zooms 0…16 the map is cut into cells, a sixteenth of a tile's side each.
// 1. A cell's weight is its number of points, its place their mean, rounded down.
// 2. From the heaviest down, of equal ones the greater hash first, a cell becomes a centre unless its place is nearer than r
//    to that of a centre. r is 40/512 of a tile's side, 1.25 cells.
// 3. Every other cell goes to the nearest centre, which is nearer than r; of equally near ones to the greater hash.
// 4. A feature is a centre with its cells: the centre's place, the count of all. It belongs to the tile of that place.
//
// So each point is in one feature at each zoom, no two features are nearer than r, and what a cell is depends on few others:
// places nearer than r lie at most two cells apart. From zoom 17 on tiles show their points as they are, and when there are
// more than 256 their cells, a feature each.

/// The numbers of the rule by which points become clusters.
package enum ClusterRule {
    /// The zooms at which points are clustered; at those above they are shown as they are.
    package static let zooms = 0...16
    /// The most points that a tile above those zooms shows as they are.
    package static let rawLimit = 256
    /// Cells on a tile's side, as a power of two.
    static let cellBits = 4

    /// The columns of cells of a zoom, and the rows.
    package static func cells(zoom: Int) -> Range<Int> { 0..<(1 << (zoom + self.cellBits)) }

    /// How far a coordinate of the map is shifted to give its cell: 2 to the power of this is a cell's side.
    package static func cellShift(zoom: Int) -> Int { 32 - self.cellBits - zoom }

    /// The square of the least distance between features of a zoom, (40/512 of a tile's side)² = (5 · 2²⁶⁻ᶻ)².
    package static func squaredRadius(zoom: Int) -> Int64 { 25 << (52 - 2 * zoom) }

    /// Decides between equal cells: a pseudo-random number of the cell.
    ///
    /// The order of columns and rows would not do: where many cells are alike, one that changes would turn the next, and so on
    /// across the map. This is one step of SplitMix64 (Steele, Lea and Flood, 2014).
    package static func hash(zoom: Int, x: Int, y: Int) -> UInt64 {
        let cell = UInt64(zoom) << 58 ^ UInt64(x) << 29 ^ UInt64(y)
        var value = cell &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

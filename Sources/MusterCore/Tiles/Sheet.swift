// What is known of one zoom. Cells lie in blocks of 8 × 8, a quarter of a tile; a block is gathered from the tree when it is
// first looked into, and from then on each change of a point touches its cell. A cell is decided when somebody asks for it, by
// asking only those cells near it that come before it in the rule's order (`Sheet+Deciding`). What points that come, go and move
// turn over is found by `Sheet+Settling`, tiles are read by `Sheet+Reading`.
//
// Invariants, once settled:
// - A gathered cell is what the tree says.
// - A cell that is decided or assigned is so by the rule, and the 5 × 5 cells around it are gathered: so all that can turn it
//   over is heard of.
// - Of a watched tile that is not marked, every cell is decided, and all cells nearer than r to a centre in it are assigned:
//   so whatever turns it over marks it.
// Decisions lean on each other, so a sheet is forgotten whole or not at all.

/// The cells of one zoom, as far as somebody has asked for them.
struct Sheet: Sendable {
    /// A cell with points in it, or an empty one.
    struct Cell {
        /// The mean of its points.
        var x: UInt32 = 0
        var y: UInt32 = 0
        /// The number of points above 8 bits of state.
        var word: UInt32 = 0
        /// The slot of its point, when there is but one.
        var member: UInt32 = 0

        init() {}

        init(_ sum: CellSum) {
            guard sum.count > 0 else { return }
            let mean = sum.mean
            (self.x, self.y, self.word) = (mean.x, mean.y, sum.count << 8)
            self.member = sum.member
        }

        var weight: UInt32 { self.word >> 8 }
        var state: CellState {
            get { CellState(rawValue: UInt8(truncatingIfNeeded: self.word)) }
            set { self.word = self.word & ~0xFF | UInt32(newValue.rawValue) }
        }

        /// The square of the distance between two places that are at most three cells apart.
        @inline(__always)
        func squaredDistance(to other: Self) -> Int64 {
            let x = Int64(Int32(bitPattern: self.x &- other.x))
            let y = Int64(self.y) &- Int64(other.y)
            return x &* x &+ y &* y
        }
    }

    /// 8 × 8 cells; bit 8 · row + column of a mask stands for each.
    struct Block {
        let x: UInt32
        let y: UInt32
        /// Where its cells begin, in 64s; negative as long as none has a point.
        var base: Int32 = -1
        var isWatched = false
        /// Whether the tile, of which this is the north-western block, is among the marked ones.
        var isMarked = false
        /// Cells with points.
        var occupied: UInt64 = 0
        /// Cells of which a point came, went or moved since they were gathered.
        var touched: UInt64 = 0
        /// Those of them into or out of which one came or went.
        var exchanged: UInt64 = 0
        /// Cells that are to be judged again.
        var queued: UInt64 = 0
        /// Cells that are to be assigned again.
        var parted: UInt64 = 0
    }

    /// A cell by its block and its bit there.
    struct Place {
        private let number: UInt32
        private let cell: UInt8

        init(block: Int, bit: Int) {
            self.number = UInt32(truncatingIfNeeded: block)
            self.cell = UInt8(truncatingIfNeeded: bit)
        }

        var block: Int { Int(self.number) }
        var bit: Int { Int(self.cell) }
    }

    /// A cell with points in the 5 × 5 around another.
    struct Neighbor {
        var place: Place
        /// Where it is from there: 5 · (row + 2) + column + 2.
        var offset: UInt8
        private let number: UInt32

        /// Its index among all cells.
        var index: Int { Int(self.number) }

        init(place: Place, index: Int, offset: UInt8) {
            self.place = place
            self.offset = offset
            self.number = UInt32(truncatingIfNeeded: index)
        }
    }

    let zoom: Int
    let shift: UInt32
    let radius: Int64

    // Block 0 lies beyond the poles: it is empty for ever.
    var blocks: ContiguousArray<Block> = []
    /// The 3 × 3 blocks around each; negative where nobody has looked.
    var links: ContiguousArray<Int32> = []
    var cells: ContiguousArray<Cell> = []
    private var found = NumberMap<UInt32>()
    /// The tiles that are watched, under their packed addresses.
    private var tiles = NumberMap<UInt32>()

    var pending: [Int32] = []
    var judgements: ContiguousArray<Judgement> = []
    var isHeap = true
    var parting: ContiguousArray<Place> = []
    var marked: [Int64] = []

    var sums = ContiguousArray(repeating: CellSum(), count: 64)
    var near: ContiguousArray<Neighbor> = []
    var asked: ContiguousArray<Place> = []

    var flips = 0
    var steps = 0
    /// How many more changes a sheet that nobody watches is worth.
    private var patience = 0
    /// How many blocks what is watched needed when all of it had been read; nil until then.
    private var needed: Int? = 0

    init(zoom: Int) {
        self.zoom = zoom
        self.shift = UInt32(ClusterRule.cellShift(zoom: zoom))
        self.radius = ClusterRule.squaredRadius(zoom: zoom)
    }

    /// Whether there is nothing in it.
    var isEmpty: Bool { self.blocks.isEmpty }

    /// How many tiles are watched.
    var watchedCount: Int { self.tiles.count }

    /// Whether changes are not worked off yet.
    var isPending: Bool { !self.pending.isEmpty || !self.judgements.isEmpty || !self.parting.isEmpty }

    /// Whether there are many more blocks than what is watched, or read in a row, needs.
    var isOverfull: Bool { self.needed.map { self.blocks.count > 4 * $0 + 64 * self.tiles.count + 2048 } ?? false }

    /// Memory in bytes.
    var bytes: Int {
        self.blocks.capacity * (MemoryLayout<Block>.stride + 9 * MemoryLayout<Int32>.stride)
            + self.cells.capacity * MemoryLayout<Cell>.stride + 16 * 2 * self.found.count
    }

    /// Forgets all cells, but not which tiles are watched.
    mutating func forget() {
        var fresh = Self(zoom: self.zoom)
        fresh.tiles = self.tiles
        (fresh.flips, fresh.steps) = (self.flips, self.steps)
        if self.tiles.count > 0 { fresh.needed = nil }
        self = fresh
    }

    /// Says that all that is watched has been read since the sheet was forgotten.
    mutating func noteNeed() {
        if self.needed == nil { self.needed = self.blocks.count }
    }

    // MARK: Changes and watches

    /// Notes that a point came, went or moved in the cell of a place.
    ///
    /// - Parameters:
    ///   - place: where it is or was.
    ///   - exchanged: whether it came into the cell or went out of it.
    /// - Returns: whether keeping the sheet costs more by now than making it anew.
    mutating func touch(_ place: MercatorPoint, exchanged: Bool) -> Bool {
        let (x, y) = (place.x >> self.shift, place.y >> self.shift)
        guard let block = self.found[Self.key(x >> 3, y >> 3)].map(Int.init) else { return false }
        let bit = UInt64(1) << UInt64((y & 7) << 3 | x & 7)
        if self.blocks[block].touched == 0 { self.pending.append(Int32(block)) }
        self.blocks[block].touched |= bit
        if exchanged { self.blocks[block].exchanged |= bit }
        guard self.tiles.count == 0 else { return false }
        self.patience -= 1
        return self.patience < 0
    }

    /// Says that somebody has read in it.
    mutating func renew() { self.patience = 64 + self.blocks.count }

    /// Watches a tile.
    mutating func watch(_ tile: TileAddress) {
        self.tiles[tile.packed] = 1
        self.setWatched(tile, true)
    }

    /// Watches a tile no longer.
    mutating func unwatch(_ tile: TileAddress) {
        self.tiles[tile.packed] = nil
        self.setWatched(tile, false)
    }

    private mutating func setWatched(_ tile: TileAddress, _ isWatched: Bool) {
        for corner in 0..<4 {
            let (x, y) = (UInt32(tile.x * 2 + corner & 1), UInt32(tile.y * 2 + corner >> 1))
            guard let block = self.found[Self.key(x, y)].map(Int.init) else { continue }
            self.blocks[block].isWatched = isWatched
            self.blocks[block].isMarked = false
        }
    }

    /// Whether a watched tile has been marked since it was read for those who watch it.
    func isMarked(_ tile: TileAddress) -> Bool {
        guard let block = self.found[Self.key(UInt32(tile.x * 2), UInt32(tile.y * 2))] else { return true }
        return self.blocks[Int(block)].isMarked
    }

    /// Removes a tile from the marked ones and returns it; nil when there is none.
    mutating func popMarked() -> TileAddress? {
        while let packed = self.marked.popLast() {
            guard let tile = TileAddress(packed: packed), self.tiles[packed] != nil else { continue }
            if let block = self.found[Self.key(UInt32(tile.x * 2), UInt32(tile.y * 2))] {
                self.blocks[Int(block)].isMarked = false
            }
            return tile
        }
        return nil
    }

    /// Marks the tile of a block when it is watched.
    mutating func mark(_ block: Int) {
        guard self.blocks[block].isWatched else { return }
        let (x, y) = (self.blocks[block].x, self.blocks[block].y)
        guard let first = self.found[Self.key(x & ~1, y & ~1)].map(Int.init) else { return }
        guard !self.blocks[first].isMarked else { return }
        self.blocks[first].isMarked = true
        self.marked.append(TileAddress(checkedZoom: self.zoom, x: Int(x >> 1), y: Int(y >> 1)).packed)
    }

    // MARK: Blocks

    private static func key(_ x: UInt32, _ y: UInt32) -> Int64 { Int64(y) << 32 | Int64(x) }

    /// The block at a column and a row of blocks; gathered when it is not known.
    mutating func block(_ x: UInt32, _ y: UInt32, _ tree: PointTree) -> Int {
        self.found[Self.key(x, y)].map(Int.init) ?? self.makeBlock(x, y, tree)
    }

    private mutating func makeBlock(_ x: UInt32, _ y: UInt32, _ tree: PointTree) -> Int {
        if self.blocks.isEmpty {
            self.blocks.append(Block(x: .max, y: .max))
            self.links.append(contentsOf: repeatElement(0, count: 9))
        }
        let number = self.blocks.count
        var block = Block(x: x, y: y)
        if self.tiles.count > 0 {
            let tile = TileAddress(checkedZoom: self.zoom, x: Int(x >> 1), y: Int(y >> 1))
            block.isWatched = self.tiles[tile.packed] != nil
        }
        self.found[Self.key(x, y)] = UInt32(number)
        self.blocks.append(block)
        self.links.append(contentsOf: repeatElement(-1, count: 9))
        self.links[9 * number + 4] = Int32(number)
        self.steps += 1
        self.sums.withUnsafeMutableBufferPointer { tree.gather(.max, of: (x, y), zoom: self.zoom, into: $0) }
        for bit in 0..<64 where self.sums[bit].count > 0 {
            self.occupy(Place(block: number, bit: bit))
            self.cells[self.index(Place(block: number, bit: bit))] = Cell(self.sums[bit])
            self.steps += 1
        }
        return number
    }

    /// Enters a cell among those with points.
    mutating func occupy(_ place: Place) {
        if self.blocks[place.block].base < 0 {
            self.blocks[place.block].base = Int32(self.cells.count / 64)
            self.cells.append(contentsOf: repeatElement(Cell(), count: 64))
        }
        self.blocks[place.block].occupied |= 1 << UInt64(place.bit)
    }

    /// The index of a cell of a block that has cells.
    @inline(__always)
    func index(_ place: Place) -> Int { Int(self.blocks[place.block].base) << 6 | place.bit }

    /// The column and row of a cell.
    @inline(__always)
    func address(_ place: Place) -> (x: UInt32, y: UInt32) {
        let block = self.blocks[place.block]
        return (block.x << 3 | UInt32(place.bit & 7), block.y << 3 | UInt32(place.bit >> 3))
    }

    /// What decides between cells of equal weight.
    func hash(_ place: Place) -> UInt64 {
        let (x, y) = self.address(place)
        return ClusterRule.hash(zoom: self.zoom, x: Int(x), y: Int(y))
    }

    /// The block beside another; negative when it isn't known and nothing is to be gathered for it.
    private mutating func beside(_ block: Int, _ east: Int, _ south: Int, _ tree: PointTree?) -> Int {
        let link = 9 * block + 3 * (south + 1) + east + 1
        let (x, y) = (self.blocks[block].x, self.blocks[block].y)
        let side = UInt32(2) << UInt32(self.zoom)
        let row = y &+ UInt32(truncatingIfNeeded: south)
        guard row < side else {
            self.links[link] = 0
            return 0
        }
        let column = (x &+ UInt32(truncatingIfNeeded: east)) & (side - 1)
        if let known = self.found[Self.key(column, row)] {
            self.links[link] = Int32(known)
            return Int(known)
        }
        guard let tree else { return -1 }
        let made = self.makeBlock(column, row, tree)
        self.links[link] = Int32(made)
        return made
    }

    /// The block in which a cell of the 5 × 5 around another lies, if it is known.
    mutating func block(at offset: UInt8, from place: Place) -> Int? {
        let column = place.bit & 7 + Int(offset % 5) - 2
        let row = place.bit >> 3 + Int(offset / 5) - 2
        let (east, south) = (column >> 3, row >> 3)
        var block = Int(self.links[9 * place.block + 3 * (south + 1) + east + 1])
        if block < 0 { block = self.beside(place.block, east, south, nil) }
        return block < 0 ? nil : block
    }

    /// Puts the cells with points in the 5 × 5 around one at the end of `near`; who calls takes them away again.
    ///
    /// - Parameters:
    ///   - place: the cell, which is left out itself.
    ///   - tree: what blocks are gathered from that nobody has looked into; nil leaves them out.
    /// - Returns: where they are in `near`.
    mutating func lookAround(_ place: Place, _ tree: PointTree?) -> Range<Int> {
        let start = self.near.count
        self.steps += 1
        let (column, row) = (place.bit & 7, place.bit >> 3)
        for south in (row < 2 ? -1 : 0)...(row > 5 ? 1 : 0) {
            let (top, bottom) = (max(0, row - 2 - 8 * south), min(7, row + 2 - 8 * south))
            let rows = UInt64.max >> UInt64(8 * (7 - bottom)) & UInt64.max << UInt64(8 * top)
            for east in (column < 2 ? -1 : 0)...(column > 5 ? 1 : 0) {
                var block = Int(self.links[9 * place.block + 3 * (south + 1) + east + 1])
                if block < 0 { block = self.beside(place.block, east, south, tree) }
                guard block > 0 else { continue }
                let (left, right) = (max(0, column - 2 - 8 * east), min(7, column + 2 - 8 * east))
                let columns: UInt64 = (0xFF >> UInt64(7 - right) & 0xFF << UInt64(left)) &* 0x0101_0101_0101_0101
                var window = rows & columns & self.blocks[block].occupied
                if south == 0, east == 0 { window &= ~(1 << UInt64(place.bit)) }
                let first = Int(self.blocks[block].base) << 6
                while window != 0 {
                    let bit = window.trailingZeroBitCount
                    window &= window - 1
                    let offset = 5 * (bit >> 3 + 8 * south - row + 2) + bit & 7 + 8 * east - column + 2
                    self.near.append(
                        Neighbor(
                            place: Place(block: block, bit: bit),
                            index: first + bit,
                            offset: UInt8(truncatingIfNeeded: offset)
                        )
                    )
                }
            }
        }
        return start..<self.near.count
    }

    /// Takes away what was looked at since `near` had so many cells.
    @inline(__always)
    mutating func lookAway(_ start: Int) { self.near.removeLast(self.near.count - start) }
}

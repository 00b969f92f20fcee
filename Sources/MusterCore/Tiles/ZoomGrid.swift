// The zoom grid (`ZoomGrid`) caches the clustering of one zoom. Cells are stored in blocks of 8 × 8, a quarter of a
// tile. A block is gathered from the tree at its first use, and from then on each change of a point touches its cell. A
// cell is evaluated on demand, which only requires the cells near it that precede it in the rule's order
// (`ZoomGrid+Deciding`). `ZoomGrid+Resolving` applies the effects of points that are added, removed and moved;
// `ZoomGrid+Reading` reads tiles.
//
// Invariants, when no changes are pending:
// - A gathered cell agrees with the tree.
// - The state of an evaluated or assigned cell agrees with the rule, and the 5 × 5 cells around it are gathered. So
//   every change that affects it is noticed.
// - In a subscribed tile that is not marked, every cell is evaluated, and all cells nearer than r to one of its centres
//   are assigned. So every change that affects the tile marks it.
//
// Cell states depend on each other, so a grid is discarded as a whole or not at all.

/// The zoom grid: the cells of one zoom, as far as they were requested.
struct ZoomGrid: Sendable {
    /// A cell; empty if its weight is 0.
    struct Cell {
        /// The mean of its points.
        var x: UInt32 = 0
        var y: UInt32 = 0
        /// The number of points, above 8 bits of state.
        var word: UInt32 = 0
        /// The slot of its point, if there is only one.
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

    /// A block of 8 × 8 cells; bit 8 · row + column of a mask stands for each.
    struct Block {
        let x: UInt32
        let y: UInt32
        /// The index of the first cell, in units of 64; negative while no cell has a point.
        var base: Int32 = -1
        var isSubscribed = false
        /// Whether the tile is marked, if this is its north-western block.
        var isMarked = false
        /// Cells with points.
        var occupied: UInt64 = 0
        /// Cells with points that were added, removed or moved since the cells were gathered.
        var touched: UInt64 = 0
        /// Touched cells that a point entered or left.
        var exchanged: UInt64 = 0
        /// Cells queued for evaluation.
        var queued: UInt64 = 0
        /// Cells queued for reassignment.
        var needsReassign: UInt64 = 0
    }

    /// A cell, by its block and its bit there.
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
        /// The offset from the other cell: 5 · (row + 2) + column + 2.
        var offset: UInt8
        private let number: UInt32

        /// The index among all cells.
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

    // Block 0 is beyond the poles and always empty.
    var blocks: ContiguousArray<Block> = []
    /// The 3 × 3 blocks around each block; negative if not looked up yet.
    var links: ContiguousArray<Int32> = []
    var cells: ContiguousArray<Cell> = []
    private var found = NumberMap<UInt32>()
    /// The subscribed tiles, by packed address.
    private var tiles = NumberMap<UInt32>()

    var pending: [Int32] = []
    var pendingCells: ContiguousArray<PendingCell> = []
    var isHeap = true
    var parting: ContiguousArray<Place> = []
    var marked: [Int64] = []

    var sums = ContiguousArray(repeating: CellSum(), count: 64)
    var near: ContiguousArray<Neighbor> = []
    var asked: ContiguousArray<Place> = []

    var flips = 0
    var steps = 0
    /// The number of further changes for which keeping a grid without subscriptions is worthwhile.
    private var timeout = 0
    /// The number of blocks after all subscribed tiles were read; nil until then.
    private var needed: Int? = 0

    init(zoom: Int) {
        self.zoom = zoom
        self.shift = UInt32(ClusterRule.cellShift(zoom: zoom))
        self.radius = ClusterRule.squaredRadius(zoom: zoom)
    }

    /// Whether the grid is empty.
    var isEmpty: Bool { self.blocks.isEmpty }

    /// The number of subscribed tiles.
    var subscribedCount: Int { self.tiles.count }

    /// Whether changes are pending.
    var isPending: Bool { !self.pending.isEmpty || !self.pendingCells.isEmpty || !self.parting.isEmpty }

    /// Whether there are many more blocks than the subscribed tiles, or successive reads, need.
    var isOverfull: Bool { self.needed.map { self.blocks.count > 4 * $0 + 64 * self.tiles.count + 2048 } ?? false }

    /// The memory in bytes.
    var bytes: Int {
        self.blocks.capacity * (MemoryLayout<Block>.stride + 9 * MemoryLayout<Int32>.stride)
            + self.cells.capacity * MemoryLayout<Cell>.stride + 16 * 2 * self.found.count
    }

    /// Discards all cells, but keeps the subscriptions.
    mutating func forget() {
        var fresh = Self(zoom: self.zoom)
        fresh.tiles = self.tiles
        (fresh.flips, fresh.steps) = (self.flips, self.steps)
        if self.tiles.count > 0 { fresh.needed = nil }
        self = fresh
    }

    /// Records that all subscribed tiles have been read since the grid was discarded.
    mutating func noteNeed() {
        if self.needed == nil { self.needed = self.blocks.count }
    }

    // MARK: Changes and subscriptions

    /// Records that a point was added, removed or moved in the cell of a place.
    ///
    /// - Parameters:
    ///   - place: the place of the point, before or after the change.
    ///   - exchanged: whether the point entered or left the cell.
    /// - Returns: whether keeping the grid now costs more than a new computation.
    mutating func touch(_ place: MercatorPoint, exchanged: Bool) -> Bool {
        let (x, y) = (place.x >> self.shift, place.y >> self.shift)
        guard let block = self.found[Self.key(x >> 3, y >> 3)].map(Int.init) else { return false }
        let bit = UInt64(1) << UInt64((y & 7) << 3 | x & 7)
        if self.blocks[block].touched == 0 { self.pending.append(Int32(block)) }
        self.blocks[block].touched |= bit
        if exchanged { self.blocks[block].exchanged |= bit }
        guard self.tiles.count == 0 else { return false }
        self.timeout -= 1
        return self.timeout < 0
    }

    /// Records that the grid was read.
    mutating func renew() { self.timeout = 64 + self.blocks.count }

    /// Subscribes to a tile.
    mutating func subscribe(_ tile: TileAddress) {
        self.tiles[tile.packed] = 1
        self.setSubscribed(tile, true)
    }

    /// Ends the subscription to a tile.
    mutating func unsubscribe(_ tile: TileAddress) {
        self.tiles[tile.packed] = nil
        self.setSubscribed(tile, false)
    }

    private mutating func setSubscribed(_ tile: TileAddress, _ isSubscribed: Bool) {
        for corner in 0..<4 {
            let (x, y) = (UInt32(tile.x * 2 + corner & 1), UInt32(tile.y * 2 + corner >> 1))
            guard let block = self.found[Self.key(x, y)].map(Int.init) else { continue }
            self.blocks[block].isSubscribed = isSubscribed
            self.blocks[block].isMarked = false
        }
    }

    /// Whether a subscribed tile has been marked since it was last read for its subscribers.
    func isMarked(_ tile: TileAddress) -> Bool {
        guard let block = self.found[Self.key(UInt32(tile.x * 2), UInt32(tile.y * 2))] else { return true }
        return self.blocks[Int(block)].isMarked
    }

    /// Removes and returns a marked tile; nil if there is none.
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

    /// Marks the tile of a block if it is subscribed.
    mutating func mark(_ block: Int) {
        guard self.blocks[block].isSubscribed else { return }
        let (x, y) = (self.blocks[block].x, self.blocks[block].y)
        guard let first = self.found[Self.key(x & ~1, y & ~1)].map(Int.init) else { return }
        guard !self.blocks[first].isMarked else { return }
        self.blocks[first].isMarked = true
        self.marked.append(TileAddress(checkedZoom: self.zoom, x: Int(x >> 1), y: Int(y >> 1)).packed)
    }

    // MARK: Blocks

    private static func key(_ x: UInt32, _ y: UInt32) -> Int64 { Int64(y) << 32 | Int64(x) }

    /// The block at a column and a row of blocks, gathered if necessary.
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
            block.isSubscribed = self.tiles[tile.packed] != nil
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

    /// Adds a cell to those with points.
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

    /// The hash that decides between cells of equal weight.
    func hash(_ place: Place) -> UInt64 {
        let (x, y) = self.address(place)
        return ClusterRule.hash(zoom: self.zoom, x: Int(x), y: Int(y))
    }

    /// The block next to another; negative if it is not known and `tree` is nil.
    private mutating func adjacent(_ block: Int, _ east: Int, _ south: Int, _ tree: PointTree?) -> Int {
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

    /// The block of a cell in the 5 × 5 around another; nil if it is not known.
    mutating func block(at offset: UInt8, from place: Place) -> Int? {
        let column = place.bit & 7 + Int(offset % 5) - 2
        let row = place.bit >> 3 + Int(offset / 5) - 2
        let (east, south) = (column >> 3, row >> 3)
        var block = Int(self.links[9 * place.block + 3 * (south + 1) + east + 1])
        if block < 0 { block = self.adjacent(place.block, east, south, nil) }
        return block < 0 ? nil : block
    }

    /// Appends the cells with points in the 5 × 5 around a cell to `near`; the caller removes them with `lookAway`.
    ///
    /// - Parameters:
    ///   - place: the cell, which is not included.
    ///   - tree: the source of blocks that are not gathered yet; nil leaves them out.
    /// - Returns: the indices in `near`.
    mutating func lookAround(_ place: Place, _ tree: PointTree?) -> Range<Int> {
        let start = self.near.count
        self.steps += 1
        let (column, row) = (place.bit & 7, place.bit >> 3)
        for south in (row < 2 ? -1 : 0)...(row > 5 ? 1 : 0) {
            let (top, bottom) = (max(0, row - 2 - 8 * south), min(7, row + 2 - 8 * south))
            let rows = UInt64.max >> UInt64(8 * (7 - bottom)) & UInt64.max << UInt64(8 * top)
            for east in (column < 2 ? -1 : 0)...(column > 5 ? 1 : 0) {
                var block = Int(self.links[9 * place.block + 3 * (south + 1) + east + 1])
                if block < 0 { block = self.adjacent(place.block, east, south, tree) }
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

    /// Removes the cells of `near` from `start` on.
    @inline(__always)
    mutating func lookAway(_ start: Int) { self.near.removeLast(self.near.count - start) }
}

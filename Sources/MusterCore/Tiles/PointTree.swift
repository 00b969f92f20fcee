// A quadtree of buckets in flat arrays. A node is a square of the map: at depth d it has 2³²⁻ᵈ steps on each side. It
// stores the number of its points and the exact sums of their coordinates; a leaf also stores the points. A leaf with
// more than 16 points is split, down to depth 26; an inner node with 8 or fewer is joined. So each cell of each zoom,
// at depth z + 4, is a node or a part of one leaf, and zooms need no memory.
//
// A leaf's points are a bucket of 16 adjacent slots, so that the points are fetched from memory at the same time. Only
// a leaf of depth 26 is a list, linked through its points: a million points at one place cost as much as a million
// others. There is no recursion: a descent has at most 26 steps, and a join empties at most 26 quads.
//
// Invariants: node 0 is the root; children are adjacent in groups of four (quads); `count` and the sums of an inner
// node are those of its children; a point is in the one leaf that contains its place; a leaf without points has no
// bucket; `slots` finds each point by its id; free points have id 0. Free points are linked from `freePoint`, free
// quads from `freeQuad`, free buckets from `freeBucket`. The order of a leaf's points depends on history, so no result
// may depend on it.

/// The points by their ids, with the number and mean of the points in each cell of each zoom.
struct PointTree: Sendable {
    /// A point; in a leaf of the greatest depth, with the previous and the next one.
    struct Point {
        var id: Int64
        var x: UInt32
        var y: UInt32
        var next = PointTree.none
        var previous = PointTree.none

        var place: MercatorPoint { MercatorPoint(x: self.x, y: self.y) }
    }

    /// A square of the map.
    struct Node {
        static let inner: UInt32 = 1 << 31
        static let bucket: UInt32 = 1 << 30

        var count: UInt32 = 0
        /// For an inner node, its first child with the highest bit set.
        ///
        /// For a leaf, its bucket with the next bit set, or its first point.
        var link = PointTree.none
        var east: UInt64 = 0
        var south: UInt64 = 0

        var isInner: Bool { self.link & Self.inner != 0 }
        var firstChild: Int { Int(self.link & ~Self.inner) }
        var isBucket: Bool { self.link & Self.bucket != 0 }
        /// The index of the first slot of a leaf with a bucket.
        var firstSlot: Int { Int(self.link & ~Self.bucket) << 4 }
    }

    /// The end of a list.
    static let none: UInt32 = 1 << 30 - 1
    /// The largest number of points: a slot has 24 bits in the table of ids, and so has a cell's weight.
    static let limit = 1 << 24 - 2
    /// The depth of the deepest nodes: the cells of zoom 22.
    static let depth = 26

    private static let splitAbove: UInt32 = 16
    private static let joinAt: UInt32 = 8

    private(set) var nodes: ContiguousArray<Node> = [Node()]
    private(set) var points: ContiguousArray<Point> = []
    /// The slots of points, 16 per bucket.
    private(set) var buckets: ContiguousArray<UInt32> = []
    private var slots = SlotTable()
    private var freePoint = Self.none
    /// The first free quad; 0 if there is none, because the first quad begins at 1.
    private var freeQuad = 0
    private var freeBucket = Self.none
    private var joining: [Int] = []
    private var gathered: ContiguousArray<UInt32> = []

    /// The number of points.
    var count: Int { Int(self.nodes[0].count) }

    /// The memory in bytes.
    var bytes: Int {
        self.nodes.capacity * MemoryLayout<Node>.stride + self.points.capacity * MemoryLayout<Point>.stride
            + self.buckets.capacity * MemoryLayout<UInt32>.stride + self.slots.bytes
    }

    /// The place of a point; nil if it does not exist.
    func place(of id: Int64) -> MercatorPoint? { self.slots.find(id, in: self.points).map { self.points[$0].place } }

    /// Adds a point, or moves the one with this id.
    ///
    /// - Returns: the previous place; nil if the point is new.
    mutating func put(_ id: Int64, at place: MercatorPoint) -> MercatorPoint? {
        precondition(id > 0, "ids of points are positive")
        if let slot = self.slots.find(id, in: self.points) {
            let old = self.points[slot].place
            if old != place { self.move(slot, from: old, to: place) }
            return old
        }
        self.insert(self.makePoint(id, place), at: place, below: 0, depth: 0)
        return nil
    }

    /// Removes a point.
    ///
    /// - Returns: the previous place; nil if the point does not exist.
    mutating func remove(_ id: Int64) -> MercatorPoint? {
        guard let slot = self.slots.find(id, in: self.points) else { return nil }
        let place = self.points[slot].place
        self.detach(slot, at: place, below: 0, depth: 0)
        self.slots.remove(id, in: self.points)
        self.points[slot].id = 0
        self.points[slot].next = self.freePoint
        self.freePoint = UInt32(slot)
        if self.count == 0 { self = Self() }
        return place
    }

    /// The index of a node's child that contains a place: its bit of x, and above it that of y.
    @inline(__always)
    static func child(_ place: MercatorPoint, depth: Int) -> Int {
        let shift = UInt32(truncatingIfNeeded: 31 - depth)
        return Int((place.x &>> shift) & 1 | ((place.y &>> shift) & 1) << 1)
    }

    // MARK: Changes

    private mutating func makePoint(_ id: Int64, _ place: MercatorPoint) -> Int {
        precondition(self.count < Self.limit, "a pyramid holds at most 16,777,214 points")
        let point = Point(id: id, x: place.x, y: place.y)
        let slot = self.freePoint == Self.none ? self.points.count : Int(self.freePoint)
        if slot == self.points.count {
            self.points.append(point)
        } else {
            self.freePoint = self.points[slot].next
            self.points[slot] = point
        }
        self.slots.insert(slot, in: self.points, count: self.count + 1)
        return slot
    }

    private mutating func move(_ slot: Int, from old: MercatorPoint, to new: MercatorPoint) {
        // The depth of the last node that contains both places.
        let common = ((old.x ^ new.x) | (old.y ^ new.y)).leadingZeroBitCount
        let (east, south) = (UInt64(new.x) &- UInt64(old.x), UInt64(new.y) &- UInt64(old.y))
        var (node, depth) = (0, 0)
        self.nodes.withUnsafeMutableBufferPointer { nodes in
            while true {
                nodes[node].east &+= east
                nodes[node].south &+= south
                guard nodes[node].isInner, depth < common else { break }
                node = nodes[node].firstChild + Self.child(new, depth: depth)
                depth += 1
            }
        }
        guard self.nodes[node].isInner else {
            (self.points[slot].x, self.points[slot].y) = (new.x, new.y)
            return
        }
        let children = self.nodes[node].firstChild
        self.detach(slot, at: old, below: children + Self.child(old, depth: depth), depth: depth + 1)
        (self.points[slot].x, self.points[slot].y) = (new.x, new.y)
        self.insert(slot, at: new, below: children + Self.child(new, depth: depth), depth: depth + 1)
    }

    private mutating func insert(_ slot: Int, at place: MercatorPoint, below top: Int, depth: Int) {
        var (node, depth) = (top, depth)
        self.nodes.withUnsafeMutableBufferPointer { nodes in
            while true {
                nodes[node].count += 1
                nodes[node].east &+= UInt64(place.x)
                nodes[node].south &+= UInt64(place.y)
                guard nodes[node].isInner else { break }
                node = nodes[node].firstChild + Self.child(place, depth: depth)
                depth += 1
            }
        }
        let leaf = self.nodes[node]
        if depth == Self.depth {
            self.link(UInt32(slot), to: node)
        } else if leaf.count > Self.splitAbove {
            self.split(node, depth: depth, adding: UInt32(slot))
        } else {
            if !leaf.isBucket { self.nodes[node].link = self.makeBucket() }
            self.buckets[self.nodes[node].firstSlot + Int(leaf.count) - 1] = UInt32(slot)
        }
    }

    private mutating func detach(_ slot: Int, at place: MercatorPoint, below top: Int, depth: Int) {
        var (node, depth) = (top, depth)
        self.nodes.withUnsafeMutableBufferPointer { nodes in
            while true {
                nodes[node].count -= 1
                nodes[node].east &-= UInt64(place.x)
                nodes[node].south &-= UInt64(place.y)
                guard nodes[node].isInner, nodes[node].count > Self.joinAt else { break }
                node = nodes[node].firstChild + Self.child(place, depth: depth)
                depth += 1
            }
        }
        if self.nodes[node].isInner { self.join(node) }
        let leaf = self.nodes[node]
        guard leaf.isBucket else { return self.unlink(UInt32(slot), from: node) }
        let last = leaf.firstSlot + Int(leaf.count)
        var index = leaf.firstSlot
        while self.buckets[index] != UInt32(slot) { index += 1 }
        self.buckets[index] = self.buckets[last]
        if leaf.count == 0 {
            self.nodes[node].link = Self.none
            self.freeBucket(of: leaf)
        }
    }

    /// Prepends a point to the list of a leaf of the greatest depth.
    private mutating func link(_ slot: UInt32, to leaf: Int) {
        let first = self.nodes[leaf].link
        self.points[Int(slot)].next = first
        self.points[Int(slot)].previous = Self.none
        if first != Self.none { self.points[Int(first)].previous = slot }
        self.nodes[leaf].link = slot
    }

    private mutating func unlink(_ slot: UInt32, from leaf: Int) {
        let point = self.points[Int(slot)]
        if point.next != Self.none { self.points[Int(point.next)].previous = point.previous }
        if point.previous == Self.none {
            self.nodes[leaf].link = point.next
        } else {
            self.points[Int(point.previous)].next = point.next
        }
    }

    /// Distributes a full leaf's points, and one more that its count and sums already include.
    private mutating func split(_ leaf: Int, depth: Int, adding slot: UInt32) {
        let full = self.nodes[leaf]
        let bucket = full.firstSlot..<full.firstSlot + Int(Self.splitAbove)
        self.gathered.removeAll(keepingCapacity: true)
        self.gathered.append(contentsOf: self.buckets[bucket])
        self.gathered.append(slot)
        self.freeBucket(of: full)
        // Down to the last node that contains all of them, each node has only one child with points.
        let place = self.points[Int(slot)].place
        let difference = self.gathered.reduce(0 as UInt32) { difference, other in
            let point = self.points[Int(other)]
            return difference | (point.x ^ place.x) | (point.y ^ place.y)
        }
        let common = min(Self.depth, difference.leadingZeroBitCount)
        var (node, depth) = (leaf, depth)
        while depth < common {
            let quad = self.makeQuad()
            self.nodes[node].link = Node.inner | UInt32(quad)
            node = quad + Self.child(place, depth: depth)
            self.nodes[node] = Node(count: full.count, east: full.east, south: full.south)
            depth += 1
        }
        guard depth < Self.depth else {
            for slot in self.gathered { self.link(slot, to: node) }
            return
        }
        let quad = self.makeQuad()
        self.nodes[node].link = Node.inner | UInt32(quad)
        for slot in self.gathered {
            let place = self.points[Int(slot)].place
            let child = quad + Self.child(place, depth: depth)
            self.nodes[child].count += 1
            self.nodes[child].east &+= UInt64(place.x)
            self.nodes[child].south &+= UInt64(place.y)
            if depth + 1 == Self.depth {
                self.link(slot, to: child)
                continue
            }
            if !self.nodes[child].isBucket { self.nodes[child].link = self.makeBucket() }
            self.buckets[self.nodes[child].firstSlot + Int(self.nodes[child].count) - 1] = slot
        }
    }

    /// Turns an inner node with few points into a leaf.
    private mutating func join(_ top: Int) {
        self.gathered.removeAll(keepingCapacity: true)
        self.joining.append(self.nodes[top].firstChild)
        while let quad = self.joining.popLast() {
            for child in quad..<quad + 4 {
                let node = self.nodes[child]
                if node.isInner {
                    self.joining.append(node.firstChild)
                    continue
                }
                if node.isBucket {
                    self.gathered.append(contentsOf: self.buckets[node.firstSlot..<node.firstSlot + Int(node.count)])
                    self.freeBucket(of: node)
                    continue
                }
                var next = node.link
                while next != Self.none {
                    self.gathered.append(next)
                    next = self.points[Int(next)].next
                }
            }
            self.nodes[quad].link = UInt32(self.freeQuad)
            self.freeQuad = quad
        }
        self.nodes[top].link = self.makeBucket()
        let first = self.nodes[top].firstSlot
        for (index, slot) in self.gathered.enumerated() { self.buckets[first + index] = slot }
    }

    /// Allocates an empty bucket, and returns it as a leaf's link.
    private mutating func makeBucket() -> UInt32 {
        let bucket = self.freeBucket
        guard bucket != Self.none else {
            self.buckets.append(contentsOf: repeatElement(0, count: Int(Self.splitAbove)))
            return Node.bucket | UInt32(self.buckets.count >> 4 - 1)
        }
        self.freeBucket = self.buckets[Int(bucket) << 4]
        return Node.bucket | bucket
    }

    private mutating func freeBucket(of leaf: Node) {
        self.buckets[leaf.firstSlot] = self.freeBucket
        self.freeBucket = leaf.link & ~Node.bucket
    }

    private mutating func makeQuad() -> Int {
        let quad = self.freeQuad
        guard quad != 0 else {
            for _ in 0..<4 { self.nodes.append(Node()) }
            return self.nodes.count - 4
        }
        self.freeQuad = Int(self.nodes[quad].link)
        for child in quad..<quad + 4 { self.nodes[child] = Node() }
        return quad
    }
}

extension PointTree {
    /// Calls `body` for each point of a leaf with its slot, in any order.
    @inline(__always)
    func forEachPoint(of leaf: Node, _ body: (_ slot: UInt32, Point) -> Void) {
        if leaf.isBucket {
            let first = leaf.firstSlot
            for index in first..<first + Int(leaf.count) {
                let slot = self.buckets[index]
                body(slot, self.points[Int(slot)])
            }
            return
        }
        var next = leaf.link
        while next != Self.none {
            let point = self.points[Int(next)]
            body(next, point)
            next = point.next
        }
    }
}

// A fix rarely changes anything between two members: who sat together sits together, who was far is far. This table answers
// for one member and all others at once whether that is so, from flat rows of small numbers, without a branch for a pair.
//
// Layout: members come in blocks of four. A block holds latitudes and longitudes as 32-bit parts of the full circle (9 mm of
// latitude), so that differences wrap at the date line by themselves, and accuracies in the same unit. Where nobody is
// placed the latitude is 180°, at least 90° from everywhere. A row of standings, a byte for each other member, says how the
// two stood when they were last compared.
//
// A distance d is held against R and T = 1.5 R + credit, with a margin on either side of both:
//
//               R−         R+                     T−         T+
//     ──────────┼──────────┼──────────────────────┼──────────┼──────────► d
//        −4          −3              −2                −1          0      = −(how many of the four d is below)
//
// So the count is −4, −2 or 0 only when d is certainly within R, certainly between, or certainly beyond. A pair is calm when
// the count is its standing; the others are compared exactly, one by one, by `ProximityGraph`. This table decides nothing:
// it only says where nothing needs to be decided.
//
// Why −4, −2 and 0 are certain: the plane's distance is right to 1.9·10⁻³ within 4 km (`RoughPoint` has the reason; T ≤ 2 R).
// To that come places rounded to half a unit each, so a difference is off by one unit at most and a distance by 1.5, and
// single precision, 10⁻⁶ of the distance. The margins around R and T are 2·10⁻³ of them and four units.
//
// Invariants: standings are symmetric; the standing of two of whom one is not placed is `far`, which is calm; a member's own
// standing to themselves, which is to where they were, is `within`, and is not told.

/// Says of one member and all others at once where nothing changed between them.
struct ProximityField: Sendable {
    /// Four members, as a reader sees them.
    private struct Block {
        let latitudes: SIMD4<Int32>
        let longitudes: SIMD4<Int32>
        // The bits of a Float each.
        let accuracies: SIMD4<Int32>
    }

    /// A place as the table holds it.
    struct Spot: Sendable {
        fileprivate let latitude: Int32
        fileprivate let longitude: Int32
        fileprivate let accuracy: Float
        fileprivate let cosineOfLatitude: Float

        /// Whether the table can tell anything of this place.
        var isCertain: Bool { !self.cosineOfLatitude.isNaN }

        /// Prepares a place with its accuracy in metres.
        @inline(__always)
        init(_ point: RoughPoint, accuracy: Double) {
            self.latitude = ProximityField.units(point.coordinate.latitude)
            self.longitude = ProximityField.units(point.coordinate.longitude)
            self.accuracy = Float(accuracy * (1 / ProximityField.metresPerUnit))
            self.cosineOfLatitude = Float(point.cosineOfLatitude)
        }
    }

    /// R and what follows from it, in units.
    struct Limits: Sendable {
        let radius: Double
        fileprivate let withinCertainly: Float
        fileprivate let withinMaybe: Float
        fileprivate let reach: Float
        fileprivate let mostCredit: Float

        init(radius: Double) {
            self.radius = radius
            let units = Float(radius / ProximityField.metresPerUnit)
            self.withinCertainly = ProximityField.below(units)
            self.withinMaybe = ProximityField.above(units)
            self.reach = 1.5 * units
            self.mostCredit = 0.5 * units
        }
    }

    private static let unitsPerDegree = 4_294_967_296.0 / 360
    private static let metresPerUnit = Coordinate.metresPerDegree / 4_294_967_296.0 * 360

    /// Three vectors a block: latitudes, longitudes, and the bits of accuracies.
    var places: ContiguousArray<SIMD4<Int32>> = []
    /// For each member, four by four, how the others stand to them.
    private(set) var rows: ContiguousArray<SIMD4<Int8>> = []
    private(set) var limits = Limits(radius: 0)
    /// How many members there is room for.
    private(set) var count = 0
    /// How many blocks they make, which is the width of a row.
    private var width = 0

    /// Makes room for so many members.
    mutating func grow(to count: Int) {
        guard count > self.count else { return }
        let (before, width) = (self.width, (count + 3) / 4)
        let far = SIMD4<Int8>(repeating: Standing.far.rawValue)
        if width != before {
            self.places.reserveCapacity(3 * width)
            for _ in before..<width { self.places += [SIMD4(repeating: .min), .zero, .zero] }
            var rows = ContiguousArray(repeating: far, count: count * width)
            for row in 0..<self.count {
                for block in 0..<before { rows[row * width + block] = self.rows[row * before + block] }
            }
            self.rows = rows
            self.width = width
        } else {
            self.rows.append(contentsOf: repeatElement(far, count: (count - self.count) * width))
        }
        for slot in self.count..<count { self.rows[slot * width + slot >> 2][slot & 3] = Standing.within.rawValue }
        self.count = count
    }

    /// Takes R into account, which is cheap when it is the same.
    @inline(__always)
    mutating func use(radius: Double) {
        if radius != self.limits.radius { self.limits = Limits(radius: radius) }
    }

    /// Puts a member somewhere.
    mutating func place(_ slot: Int, at spot: Spot) {
        var places = self.places.mutableSpan
        Self.place(slot, at: spot, in: &places)
    }

    /// Puts a member somewhere in the given places.
    @inline(__always)
    static func place(_ slot: Int, at spot: Spot, in places: inout MutableSpan<SIMD4<Int32>>) {
        let (block, lane) = (3 * (slot >> 2), slot & 3)
        places[block][lane] = spot.latitude
        places[block + 1][lane] = spot.longitude
        places[block + 2][lane] = Int32(bitPattern: spot.accuracy.bitPattern)
    }

    /// Takes a member out, who is `far` from everybody then.
    mutating func remove(_ slot: Int) {
        self.places[slot >> 2 * 3][slot & 3] = .min
        for other in 0..<self.count where other != slot { self.set(.far, slot, other) }
    }

    /// Whether everybody stands to a member who goes to a spot as they stood.
    ///
    /// To be asked before the member is placed there: what was just written in parts is slow to be read as a whole.
    @inline(__always)
    static func isCalm(
        _ slot: Int,
        at spot: Spot,
        places: Span<SIMD4<Int32>>,
        rows: Span<SIMD4<Int8>>,
        limits: Limits
    ) -> Bool {
        guard spot.isCertain else { return false }
        var changes = SIMD4<Int32>.zero
        let width = places.count / 3
        for index in 0..<width {
            changes |= Self.changes(in: index, of: slot * width, at: spot, places: places, rows: rows, limits: limits)
        }
        let halves = unsafeBitCast(changes, to: SIMD2<UInt64>.self)
        if halves.x | halves.y == 0 { return true }
        // Who goes far stands to where they were as they did not stand before.
        return Self.changed(around: slot, at: spot, places: places, rows: rows, limits: limits).isEmpty
    }

    /// Those who may not stand to a member at a spot as they stood.
    func changed(around slot: Int, at spot: Spot) -> MemberSet {
        Self.changed(around: slot, at: spot, places: self.places.span, rows: self.rows.span, limits: self.limits)
    }

    @inline(never)
    private static func changed(
        around slot: Int,
        at spot: Spot,
        places: Span<SIMD4<Int32>>,
        rows: Span<SIMD4<Int8>>,
        limits: Limits
    ) -> MemberSet {
        var set = MemberSet()
        let width = places.count / 3
        for index in 0..<width {
            let changes = Self.changes(
                in: index,
                of: slot * width,
                at: spot,
                places: places,
                rows: rows,
                limits: limits
            )
            if changes == .zero { continue }
            for lane in 0..<4 where changes[lane] != 0 { set.insert(index * 4 + lane) }
        }
        set.remove(slot)
        return set
    }

    /// What is not zero where one of four may not stand to a member as they stood, whose row begins at `row`.
    @inline(__always)
    private static func changes(
        in index: Int,
        of row: Int,
        at spot: Spot,
        places: Span<SIMD4<Int32>>,
        rows: Span<SIMD4<Int8>>,
        limits: Limits
    ) -> SIMD4<Int32> {
        let block = Block(
            latitudes: places[3 * index],
            longitudes: places[3 * index + 1],
            accuracies: places[3 * index + 2]
        )
        return Self.counts(block, from: spot, limits) ^ SIMD4<Int32>(truncatingIfNeeded: rows[row + index])
    }

    /// Minus the number of limits that the distance from a spot to a member is below.
    func count(from spot: Spot, to other: Int) -> Int32 {
        Self.counts(self.block(other >> 2), from: spot, self.limits)[other & 3]
    }

    /// How two members stand to each other.
    func standing(_ one: Int, _ other: Int) -> Standing {
        let raw = self.rows[one * self.width + other >> 2][other & 3]
        guard let standing = Standing(rawValue: raw) else { preconditionFailure("only standings are written") }
        return standing
    }

    /// Notes how two members stand to each other.
    mutating func set(_ standing: Standing, _ one: Int, _ other: Int) {
        self.rows[one * self.width + other >> 2][other & 3] = standing.rawValue
        self.rows[other * self.width + one >> 2][one & 3] = standing.rawValue
    }

    @inline(__always)
    private func block(_ index: Int) -> Block {
        Block(
            latitudes: self.places[3 * index],
            longitudes: self.places[3 * index + 1],
            accuracies: self.places[3 * index + 2]
        )
    }

    /// For each of four, minus the number of limits that their distance is below.
    @inline(__always)
    private static func counts(_ block: Block, from spot: Spot, _ limits: Limits) -> SIMD4<Int32> {
        let north = SIMD4<Float>(block.latitudes &- spot.latitude)
        let east = SIMD4<Float>(block.longitudes &- spot.longitude) * spot.cosineOfLatitude
        let square = north * north + east * east
        let sum = unsafeBitCast(block.accuracies, to: SIMD4<Float>.self) + spot.accuracy
        let credit = sum.replacing(with: limits.mostCredit, where: sum .> limits.mostCredit)
        let limit = credit + limits.reach
        let (below, above) = (limit * Self.inner - Self.slack, limit * Self.outer + Self.slack)
        return Self.minusOne(where: square .< limits.withinCertainly)
            &+ Self.minusOne(where: square .< limits.withinMaybe)
            &+ Self.minusOne(where: square .< below * below)
            &+ Self.minusOne(where: square .< above * above)
    }

    private static let inner = Float(1 - RoughPoint.margin)
    private static let outer = Float(1 + RoughPoint.margin)
    private static let slack: Float = 4

    /// The square of what is certainly within a limit.
    private static func below(_ limit: Float) -> Float {
        let below = max(0, limit * self.inner - self.slack)
        return below * below
    }

    /// The square of what is beyond a limit, if not certainly.
    private static func above(_ limit: Float) -> Float {
        let above = limit * self.outer + self.slack
        return above * above
    }

    // A mask is −1 where it holds.
    @inline(__always)
    private static func minusOne(where mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Int32> {
        unsafeBitCast(mask, to: SIMD4<Int32>.self)
    }

    /// Degrees as parts of the full circle, modulo the circle.
    @inline(__always)
    private static func units(_ degrees: Double) -> Int32 {
        // Added to 1.5 · 2⁵², a number is rounded to a whole one, whose low bits are the lowest of the sum. Unlike a
        // conversion that takes one instruction for any number, and traps for none.
        Int32(truncatingIfNeeded: (degrees * Self.unitsPerDegree + 0x1.8p52).bitPattern)
    }
}

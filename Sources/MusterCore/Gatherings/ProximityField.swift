// A fix rarely changes the relation of two members: most pairs stay near each other or far apart. This table finds, for
// one member and all others at once, the pairs whose relation may have changed. It uses flat rows of small numbers and
// no branch per pair. For most fixes not even this comparison is needed.
//
// Safe zones (`zone` in the code). After a comparison with all others, it is known how far a member can move before
// anything can change. Part of this distance becomes the member's safe zone: a box around them, valid until they leave
// it. It is at most half of the distance, and less where other zones already use some of it. Nothing changes between
// two members who are both in their zones, so a fix inside its member's zone is compared with no one. (Molecular
// dynamics uses a similar method: L. Verlet, "Computer experiments on classical fluids", Phys. Rev. 159, 1967, p. 98.)
//
// Layout: a zone consists of its centre and its reach. The centre is latitude and longitude as 32-bit fractions of the
// full circle (9 mm of latitude), so that differences wrap at the date line. The reach is the distance to either side,
// north and east. A member without a zone is at the centre, and the reach is 0. An unused slot has the latitude 180°,
// at least 90° from everywhere. The accuracies follow the zones, in the same unit. Members are compared in blocks of
// four, and capacity is in whole blocks. A row of pair states, one byte for each other member, holds the result of the
// last comparison.
//
// A distance d is compared with R and T = R + credit, with a margin on either side of both:
//
//               R−         R+                     T−         T+
//     ──────────┼──────────┼──────────────────────┼──────────┼──────────► d
//        −4          −6              −2                −1          0
//
// Each of d < T+ and d < T− adds −1, d < R+ adds −4, and d < R− adds +2. If the credit is so small that T− < R+, the
// sum between those two is −5. So the sum is −4, −2 or 0 only if d is certainly within R, certainly between, or
// certainly beyond. A pair is unchanged if the sum equals its pair state. `ProximityGraph` compares the other pairs
// exactly, one by one. This table makes no decisions: it only shows where none is needed.
//
// For a member somewhere in a zone, the limits are farther away by the reach. Their accuracy may be any. So the credit
// counts as 0 for the one limit and as R/2 for the other. Likewise R is the group's radius for the one, and the largest
// R that accuracies can cause (`PairRadius`) for the other.
//
// Error bounds: the distance in the plane is exact to 1.9·10⁻³ within 4 km (`CoarsePoint` has the proof; T ≤ 1.5 R).
// With two zones added it is exact to 2.8·10⁻³. Seen from one of the two centres, their corners are at most 2 km away
// and no zone is beyond 70°. Places are rounded to half a unit each, so a difference is off by at most one unit and a
// distance by 1.5. Single precision adds 10⁻⁶ of the distance. The margins around R and T are 4·10⁻³ of them and eight
// units.
//
// Invariants: pair states are symmetric; a pair with an unplaced member is `far`, which is unchanged; a member is in
// their zone or has none; if one of two members has a zone, the pair is unchanged wherever in their zones they are,
// with any accuracy.

/// A table that finds, for one member and all others at once, the pairs that are certainly unchanged.
struct ProximityField: Sendable {
    /// A position in the table's units.
    struct Spot: Sendable {
        fileprivate let latitude: Int32
        fileprivate let longitude: Int32

        /// Converts a coordinate.
        @inline(__always)
        init(_ coordinate: Coordinate) {
            // Converts degrees to fractions of the full circle, modulo the circle. Adding 1.5 · 2⁵² rounds a number to
            // an integer, and the low bits of the sum are those of the integer. Unlike a conversion, this takes one
            // instruction for both numbers, works for any number and does not trap.
            let degrees = SIMD2(coordinate.latitude, coordinate.longitude)
            let sums = unsafeBitCast(degrees * ProximityField.unitsPerDegree + 0x1.8p52, to: SIMD4<Int32>.self)
            self.latitude = sums[0]
            self.longitude = sums[2]
        }
    }

    /// A position from which distances to others can be compared.
    struct Outlook: Sendable {
        let spot: Spot
        fileprivate let accuracy: Float
        fileprivate let cosineOfLatitude: Float

        /// Whether the table is valid at this position.
        var isCertain: Bool { !self.cosineOfLatitude.isNaN }

        /// Prepares a position with its accuracy in metres.
        @inline(__always)
        init(_ point: CoarsePoint, accuracy: Double) {
            self.spot = Spot(point.coordinate)
            self.accuracy = Float(accuracy * (1 / ProximityField.metresPerUnit))
            self.cosineOfLatitude = Float(point.cosineOfLatitude)
        }
    }

    /// R and the limits derived from it, in units.
    struct Limits: Sendable {
        let radius: Double
        fileprivate let least: Float
        /// The largest R that accuracies can cause.
        fileprivate let most: Float
        /// R−, for any accuracies.
        fileprivate let withinAlways: Float
        /// T+, for any accuracies.
        fileprivate let nearEver: Float

        init(radius: Double) {
            self.radius = radius
            self.least = Float(radius / ProximityField.metresPerUnit)
            self.most = Float(max(radius, PairRadius.limit) / ProximityField.metresPerUnit)
            self.withinAlways = self.least * ProximityField.inner - ProximityField.slack
            self.nearEver = 1.5 * self.most * ProximityField.outer + ProximityField.slack
        }
    }

    private static let unitsPerDegree = 4_294_967_296.0 / 360
    private static let metresPerUnit = Coordinate.metresPerDegree / 4_294_967_296.0 * 360

    /// The available reach of a safe zone.
    enum Margin: Equatable {
        /// A number of units.
        case upTo(Float)
        /// None, because of the zones of other members.
        case obstructed
        /// None, because the relation to another member may have changed.
        case none
    }

    /// The zone of each member (latitude, longitude, reach north and south, reach east and west), up to whole blocks;
    /// then the bits of the accuracies, four to a vector.
    private(set) var places: ContiguousArray<SIMD4<Int32>> = []
    /// The pair states of each member with the others, four to a vector.
    private var rows: ContiguousArray<SIMD4<Int8>> = []
    private var limits = Limits(radius: 0)
    /// The capacity in members.
    private(set) var count = 0
    /// The number of blocks, which is the width of a row.
    private var width = 0

    /// The zone of an unused slot.
    private static let nobody = SIMD4<Int32>(.min, 0, 0, 0)

    /// Increases the capacity to a number of members.
    mutating func grow(to count: Int) {
        guard count > self.count else { return }
        let (before, width) = (self.width, (count + 3) / 4)
        let far = SIMD4<Int8>(repeating: PairState.far.rawValue)
        if width != before {
            var places = ContiguousArray(repeating: SIMD4<Int32>.zero, count: 5 * width)
            for slot in 0..<4 * width { places[slot] = slot < 4 * before ? self.places[slot] : Self.nobody }
            for block in 0..<before { places[4 * width + block] = self.places[4 * before + block] }
            self.places = places
            var rows = ContiguousArray(repeating: far, count: count * width)
            for row in 0..<self.count {
                for block in 0..<before { rows[row * width + block] = self.rows[row * before + block] }
            }
            self.rows = rows
            self.width = width
        } else {
            self.rows.append(contentsOf: repeatElement(far, count: (count - self.count) * width))
        }
        self.count = count
    }

    /// Sets R; cheap if it is the same.
    @inline(__always)
    mutating func use(radius: Double) {
        if radius != self.limits.radius { self.limits = Limits(radius: radius) }
    }

    // MARK: Places

    /// Places a member without a safe zone.
    mutating func place(_ slot: Int, at outlook: Outlook) { self.place(slot, at: outlook, reach: 0) }

    /// Places a member with a safe zone whose corners are at most `reach` units away.
    mutating func place(_ slot: Int, at outlook: Outlook, reach: Float) {
        let side = min(reach, Self.longestZone) * (Self.inner / Float(2).squareRoot())
        let hasZone = side >= Self.shortestZone && outlook.cosineOfLatitude >= Self.leastCosine
        self.places[slot] = SIMD4(
            outlook.spot.latitude,
            outlook.spot.longitude,
            hasZone ? Int32(side) : 0,
            hasZone ? Int32(side / outlook.cosineOfLatitude) : 0
        )
        self.places[4 * self.width + slot >> 2][slot & 3] = Int32(bitPattern: outlook.accuracy.bitPattern)
    }

    /// Whether a position is in a member's safe zone, so that moving there changes nothing between them and others.
    @inline(__always)
    static func isInZone(_ slot: Int, _ spot: Spot, places: Span<SIMD4<Int32>>) -> Bool {
        let zone = places[slot]
        let north = (spot.latitude &- zone[0]).magnitude
        let east = (spot.longitude &- zone[1]).magnitude
        // A zone with a reach of 0 contains nothing, not even its centre.
        return north < UInt32(bitPattern: zone[2]) && east < UInt32(bitPattern: zone[3])
    }

    /// Whether a member has a safe zone.
    func hasZone(_ slot: Int) -> Bool { self.places[slot][2] != 0 }

    /// Removes a member, whose pairs become `far`.
    mutating func remove(_ slot: Int) {
        self.places[slot] = Self.nobody
        for other in 0..<self.count where other != slot { self.set(.far, slot, other) }
    }

    // MARK: Comparing

    /// The available reach of a safe zone for a member at a position; the position must be certain.
    func margin(of slot: Int, at outlook: Outlook) -> Margin {
        let (places, rows, limits) = (self.places.span, self.rows.span, self.limits)
        // The distance to the next limit, with any accuracies.
        var ever = SIMD4<Float>(repeating: .infinity)
        var margin = Margin.upTo(0)
        var slots = SIMD4<Int32>(0, 1, 2, 3)
        for index in 0..<self.width {
            let block = Block(places, index, of: self.width)
            let distance = block.squaredDistances(from: outlook).squareRoot()
            let reach = block.reaches
            let bounds = block.bounds(with: outlook, limits)
            let pairStates = SIMD4<Int32>(truncatingIfNeeded: rows[slot * self.width + index])
            let isFar = pairStates .== Int32(PairState.far.rawValue)
            let isBetween = pairStates .== Int32(PairState.between.rawValue)
            let isWithin = pairStates .== Int32(PairState.within.rawValue)
            var rest = SIMD4<Float>(repeating: -1)
            var restEver = rest
            rest.replace(with: distance - bounds.nearMaybe, where: isFar)
            restEver.replace(with: distance - limits.nearEver, where: isFar)
            // With other accuracies there is no range between the limits: such a pair leaves no room for a zone.
            let between = Self.lesser(distance - bounds.withinMaybe, bounds.nearCertainly - distance)
            rest.replace(with: between, where: isBetween)
            rest.replace(with: bounds.withinCertainly - distance, where: isWithin)
            restEver.replace(with: limits.withinAlways - distance, where: isWithin)
            let isOther = slots .!= Int32(slot)
            // With the current accuracies.
            let isUnsure = isOther .& .!(rest - reach .> 0)
            if Self.isAny(isUnsure) {
                // One is enough, and a large group may have many more blocks.
                if Self.isAny(isUnsure .& block.hasNoZone) { return .none }
                margin = .obstructed
            }
            ever.replace(with: Self.lesser(ever, Self.lesser(restEver - reach, restEver * 0.5)), where: isOther)
            slots &+= 4
        }
        return margin == .obstructed ? margin : .upTo(max(0, Self.least(ever)))
    }

    /// The members whose relation to a member at a position may have changed.
    func changed(around slot: Int, at outlook: Outlook) -> MemberSet {
        var set = MemberSet()
        let (places, rows, limits) = (self.places.span, self.rows.span, self.limits)
        for index in 0..<self.width {
            let counts = Block(places, index, of: self.width).counts(from: outlook, limits)
            let changes = counts ^ SIMD4<Int32>(truncatingIfNeeded: rows[slot * self.width + index])
            if changes == .zero { continue }
            for lane in 0..<4 where changes[lane] != 0 { set.insert(index * 4 + lane) }
        }
        set.remove(slot)
        return set
    }

    /// The sum for the distance from a position to a member.
    func count(from outlook: Outlook, to other: Int) -> Int32 {
        Block(self.places.span, other >> 2, of: self.width).counts(from: outlook, self.limits)[other & 3]
    }

    /// The pair state of two members.
    func pairState(_ one: Int, _ other: Int) -> PairState {
        let raw = self.rows[one * self.width + other >> 2][other & 3]
        guard let pairState = PairState(rawValue: raw) else { preconditionFailure("only standings are written") }
        return pairState
    }

    /// Sets the pair state of two members.
    mutating func set(_ pairState: PairState, _ one: Int, _ other: Int) {
        self.rows[one * self.width + other >> 2][other & 3] = pairState.rawValue
        self.rows[other * self.width + one >> 2][one & 3] = pairState.rawValue
    }

    /// Four members, in vectors.
    private struct Block {
        let latitudes: SIMD4<Int32>
        let longitudes: SIMD4<Int32>
        let heights: SIMD4<Int32>
        // The bits of a Float each.
        let accuracies: SIMD4<Int32>

        @inline(__always)
        init(_ places: Span<SIMD4<Int32>>, _ index: Int, of width: Int) {
            let (one, two) = (places[4 * index], places[4 * index + 1])
            let (three, four) = (places[4 * index + 2], places[4 * index + 3])
            self.latitudes = SIMD4(one[0], two[0], three[0], four[0])
            self.longitudes = SIMD4(one[1], two[1], three[1], four[1])
            self.heights = SIMD4(one[2], two[2], three[2], four[2])
            self.accuracies = places[4 * width + index]
        }

        /// The squared distances from a position to the centres of the zones.
        @inline(__always)
        func squaredDistances(from outlook: Outlook) -> SIMD4<Float> {
            let north = SIMD4<Float>(self.latitudes &- outlook.spot.latitude)
            let east = SIMD4<Float>(self.longitudes &- outlook.spot.longitude) * outlook.cosineOfLatitude
            return north * north + east * east
        }

        /// The members without a zone.
        @inline(__always)
        var hasNoZone: SIMDMask<SIMD4<Int32>> { self.heights .== 0 }

        /// The distances of the zones' corners from their centres.
        @inline(__always)
        var reaches: SIMD4<Float> { SIMD4<Float>(self.heights) * (Float(2).squareRoot() * ProximityField.outer) }

        /// R−, R+, T− and T+ for each of the four.
        struct Bounds {
            let withinCertainly: SIMD4<Float>
            let withinMaybe: SIMD4<Float>
            let nearCertainly: SIMD4<Float>
            let nearMaybe: SIMD4<Float>
        }

        /// The limits for both accuracies.
        @inline(__always)
        func bounds(with outlook: Outlook, _ limits: Limits) -> Bounds {
            let sum = unsafeBitCast(self.accuracies, to: SIMD4<Float>.self) + outlook.accuracy
            let roams = self.heights .> 0
            var (least, most) = (SIMD4(repeating: limits.least), SIMD4(repeating: limits.least))
            if limits.least < limits.most {
                let coarse = ProximityField.lesser(sum * Float(PairRadius.share), SIMD4(repeating: limits.most))
                let radius = least.replacing(with: coarse, where: least .< coarse)
                least = radius.replacing(with: least, where: roams)
                most = radius.replacing(with: limits.most, where: roams)
            }
            let (leastCredit, mostCredit) = (ProximityField.lesser(sum, least * 0.5), most * 0.5)
            let near = least + leastCredit.replacing(with: 0, where: roams)
            let far = most + ProximityField.lesser(sum, mostCredit).replacing(with: mostCredit, where: roams)
            return Bounds(
                withinCertainly: least * ProximityField.inner - ProximityField.slack,
                withinMaybe: most * ProximityField.outer + ProximityField.slack,
                nearCertainly: near * ProximityField.inner - ProximityField.slack,
                nearMaybe: far * ProximityField.outer + ProximityField.slack
            )
        }

        /// The sum for each of the four.
        @inline(__always)
        func counts(from outlook: Outlook, _ limits: Limits) -> SIMD4<Int32> {
            let distance = self.squaredDistances(from: outlook).squareRoot()
            let (nearest, furthest) = (distance - self.reaches, distance + self.reaches)
            let bounds = self.bounds(with: outlook, limits)
            return Self.minusOne(where: nearest .< bounds.nearMaybe)
                &+ Self.minusOne(where: furthest .< bounds.nearCertainly)
                &+ Self.minusOne(where: nearest .< bounds.withinMaybe) &<< 2
                &- Self.minusOne(where: furthest .< bounds.withinCertainly) &<< 1
        }

        // A mask is −1 where it holds.
        @inline(__always)
        private static func minusOne(where mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Int32> {
            unsafeBitCast(mask, to: SIMD4<Int32>.self)
        }
    }

    // The standard library's `pointwiseMin` and `min()` are calls that process the lanes one by one.
    @inline(__always)
    private static func lesser(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> SIMD4<Float> {
        one.replacing(with: other, where: other .< one)
    }

    /// Whether any lane of a mask is set.
    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD4<Int32>>) -> Bool {
        unsafeBitCast(mask, to: SIMD4<Int32>.self) != .zero
    }

    @inline(__always)
    private static func least(_ four: SIMD4<Float>) -> Float { min(min(four.x, four.y), min(four.z, four.w)) }

    // MARK: Units

    private static let inner = Float(1 - 2 * CoarsePoint.margin)
    private static let outer = Float(1 + 2 * CoarsePoint.margin)
    private static let slack: Float = 8
    /// The least useful reach: zones of less than 2 m cost more than they save.
    private static let shortestZone = Float(2 / Self.metresPerUnit)
    /// The largest reach: corners are at most 2 km away.
    private static let longestZone = Float(2000 / Self.metresPerUnit)
    /// The cosine of 70° of latitude, beyond which there are no zones.
    private static let leastCosine = Float(0.342)

    /// Converts metres to units.
    static func units(metres: Double) -> Float { Float(metres / Self.metresPerUnit) }
}

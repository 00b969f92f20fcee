// A fix rarely changes anything between two members: who sat together sits together, who was far is far. This table answers
// for one member and all others at once whether that is so, from flat rows of small numbers, without a branch for a pair;
// and mostly it need not be asked even that.
//
// Yards. When a member was held against all others, it is known how far they may go before anything can change. As much
// of that as is theirs, which is half of it at most and what the yards of others left, becomes a yard: a box about them until
// they leave it. Between two who are both in their yards nothing changes, so a fix inside its member's yard is compared with
// nobody (molecular dynamics does much the same: L. Verlet, "Computer experiments on classical fluids", Phys. Rev. 159, 1967,
// p. 98).
//
// Layout: a yard is where its middle is, latitude and longitude as 32-bit parts of the full circle (9 mm of latitude), so that
// differences wrap at the date line by themselves, and how far it reaches to either side, north and east. Who has no yard is in
// the middle of it, and it reaches nowhere. Where nobody is placed the latitude is 180°, at least 90° from everywhere. Behind
// the yards lie accuracies in the same unit. Members are compared in blocks of four, and there is room for whole blocks. A row
// of standings, a byte for each other member, says how the two stood when they were last compared.
//
// A distance d is held against R and T = R + credit, with a margin on either side of both:
//
//               R−         R+                     T−         T+
//     ──────────┼──────────┼──────────────────────┼──────────┼──────────► d
//        −4          −6              −2                −1          0
//
// Being below T+ and below T− counts −1 each, below R+ −4, and below R− +2. So where the credit is so small that T− is less
// than R+, the count between those two is −5: it is −4, −2 or 0 only when d is certainly within R, certainly between, or
// certainly beyond. A pair is calm when the count is its standing; the others are compared exactly, one by one, by
// `ProximityGraph`. This table decides nothing: it only says where nothing needs to be decided. Of one who is somewhere in a
// yard the limits are as much further away, and as their accuracy may be any, the credit counts as 0 on the one side and as R/2
// on the other, and R itself as the group's and as the most that accuracies make of it (`PairRadius`).
//
// Why that is certain: the plane's distance is right to 1.9·10⁻³ within 4 km (`RoughPoint` has the reason; T ≤ 1.5 R), and to
// 2.8·10⁻³ with two yards added, whose corners are 2 km away at most and none of which is beyond 70°, seen from one of the two middles. To that
// come places rounded to half a unit each, so a difference is off by one unit at most and a distance by 1.5, and single
// precision, 10⁻⁶ of the distance. The margins around R and T are 4·10⁻³ of them and eight units.
//
// Invariants: standings are symmetric; the standing of two of whom one is not placed is `far`, which is calm; a member is in
// their yard, or has none; two of whom one has a yard are calm, wherever in their yards they are, with whatever accuracy.

/// Says of one member and all others at once where nothing changed between them.
struct ProximityField: Sendable {
    /// A place as the table holds it.
    struct Spot: Sendable {
        fileprivate let latitude: Int32
        fileprivate let longitude: Int32

        /// Prepares a place.
        @inline(__always)
        init(_ coordinate: Coordinate) {
            // Degrees as parts of the full circle, modulo the circle. Added to 1.5 · 2⁵², a number is rounded to a whole one,
            // whose low bits are the lowest of the sum. Unlike a conversion that takes one instruction for both, and for any
            // number, and traps for none.
            let degrees = SIMD2(coordinate.latitude, coordinate.longitude)
            let sums = unsafeBitCast(degrees * ProximityField.unitsPerDegree + 0x1.8p52, to: SIMD4<Int32>.self)
            self.latitude = sums[0]
            self.longitude = sums[2]
        }
    }

    /// A place from which the table can tell of others.
    struct Outlook: Sendable {
        let spot: Spot
        fileprivate let accuracy: Float
        fileprivate let cosineOfLatitude: Float

        /// Whether the table can tell anything of this place.
        var isCertain: Bool { !self.cosineOfLatitude.isNaN }

        /// Prepares a place with its accuracy in metres.
        @inline(__always)
        init(_ point: RoughPoint, accuracy: Double) {
            self.spot = Spot(point.coordinate)
            self.accuracy = Float(accuracy * (1 / ProximityField.metresPerUnit))
            self.cosineOfLatitude = Float(point.cosineOfLatitude)
        }
    }

    /// R and what follows from it, in units.
    struct Limits: Sendable {
        let radius: Double
        fileprivate let least: Float
        /// The most that accuracies make of R.
        fileprivate let most: Float
        /// R−, whatever the accuracies.
        fileprivate let withinAlways: Float
        /// T+, whatever the accuracies.
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

    /// How far a yard may reach.
    enum Room: Equatable {
        /// So many units.
        case upTo(Float)
        /// Nowhere, as somebody may be anywhere in their yard.
        case obstructed
        /// Nowhere, as something may have changed.
        case none
    }

    /// A member's yard each, latitude, longitude, reach north and south, reach east and west, up to whole blocks; then, four
    /// by four, the bits of accuracies.
    private(set) var places: ContiguousArray<SIMD4<Int32>> = []
    /// For each member, four by four, how the others stand to them.
    private var rows: ContiguousArray<SIMD4<Int8>> = []
    private var limits = Limits(radius: 0)
    /// How many members there is room for.
    private(set) var count = 0
    /// How many blocks they make, which is the width of a row.
    private var width = 0

    /// A yard of nobody.
    private static let nobody = SIMD4<Int32>(.min, 0, 0, 0)

    /// Makes room for so many members.
    mutating func grow(to count: Int) {
        guard count > self.count else { return }
        let (before, width) = (self.width, (count + 3) / 4)
        let far = SIMD4<Int8>(repeating: Standing.far.rawValue)
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

    /// Takes R into account, which is cheap when it is the same.
    @inline(__always)
    mutating func use(radius: Double) {
        if radius != self.limits.radius { self.limits = Limits(radius: radius) }
    }

    // MARK: Places

    /// Puts a member somewhere, without a yard.
    mutating func place(_ slot: Int, at outlook: Outlook) { self.place(slot, at: outlook, reach: 0) }

    /// Puts a member somewhere, with a yard whose corners are so many units away, or less.
    mutating func place(_ slot: Int, at outlook: Outlook, reach: Float) {
        let side = min(reach, Self.longestYard) * (Self.inner / Float(2).squareRoot())
        let hasYard = side >= Self.shortestYard && outlook.cosineOfLatitude >= Self.leastCosine
        self.places[slot] = SIMD4(
            outlook.spot.latitude,
            outlook.spot.longitude,
            hasYard ? Int32(side) : 0,
            hasYard ? Int32(side / outlook.cosineOfLatitude) : 0
        )
        self.places[4 * self.width + slot >> 2][slot & 3] = Int32(bitPattern: outlook.accuracy.bitPattern)
    }

    /// Whether a spot is in the yard of a member, so that going there changes nothing between them and anybody.
    @inline(__always)
    static func isInYard(_ slot: Int, _ spot: Spot, places: Span<SIMD4<Int32>>) -> Bool {
        let yard = places[slot]
        let north = (spot.latitude &- yard[0]).magnitude
        let east = (spot.longitude &- yard[1]).magnitude
        // What reaches nowhere has nothing in it, not even its middle.
        return north < UInt32(bitPattern: yard[2]) && east < UInt32(bitPattern: yard[3])
    }

    /// Whether a member has a yard.
    func hasYard(_ slot: Int) -> Bool { self.places[slot][2] != 0 }

    /// Takes a member out, who is `far` from everybody then.
    mutating func remove(_ slot: Int) {
        self.places[slot] = Self.nobody
        for other in 0..<self.count where other != slot { self.set(.far, slot, other) }
    }

    // MARK: Comparing

    /// How far a yard of a member at a spot, of which the table can tell, may reach.
    func room(of slot: Int, at outlook: Outlook) -> Room {
        let (places, rows, limits) = (self.places.span, self.rows.span, self.limits)
        // To the next limit, with any accuracies.
        var ever = SIMD4<Float>(repeating: .infinity)
        var room = Room.upTo(0)
        var slots = SIMD4<Int32>(0, 1, 2, 3)
        for index in 0..<self.width {
            let block = Block(places, index, of: self.width)
            let distance = block.squaredDistances(from: outlook).squareRoot()
            let reach = block.reaches
            let bounds = block.bounds(with: outlook, limits)
            let standings = SIMD4<Int32>(truncatingIfNeeded: rows[slot * self.width + index])
            let isFar = standings .== Int32(Standing.far.rawValue)
            let isBetween = standings .== Int32(Standing.between.rawValue)
            let isWithin = standings .== Int32(Standing.within.rawValue)
            var rest = SIMD4<Float>(repeating: -1)
            var restEver = rest
            rest.replace(with: distance - bounds.nearMaybe, where: isFar)
            restEver.replace(with: distance - limits.nearEver, where: isFar)
            // With other accuracies there is nothing between: who is there has no yard.
            let between = Self.lesser(distance - bounds.withinMaybe, bounds.nearCertainly - distance)
            rest.replace(with: between, where: isBetween)
            rest.replace(with: bounds.withinCertainly - distance, where: isWithin)
            restEver.replace(with: limits.withinAlways - distance, where: isWithin)
            let isOther = slots .!= Int32(slot)
            // With the accuracies as they are.
            let isUnsure = isOther .& .!(rest - reach .> 0)
            if Self.isAny(isUnsure) {
                // One is enough, and in a large group there may be many blocks after theirs.
                if Self.isAny(isUnsure .& block.hasNoYard) { return .none }
                room = .obstructed
            }
            ever.replace(with: Self.lesser(ever, Self.lesser(restEver - reach, restEver * 0.5)), where: isOther)
            slots &+= 4
        }
        return room == .obstructed ? room : .upTo(max(0, Self.least(ever)))
    }

    /// Those who may not stand to a member at a spot as they stood.
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

    /// What the limits that the distance from a spot to a member is below count.
    func count(from outlook: Outlook, to other: Int) -> Int32 {
        Block(self.places.span, other >> 2, of: self.width).counts(from: outlook, self.limits)[other & 3]
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

    /// Four members, as a reader sees them.
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

        /// The squares of the distances from a spot to the middles of their yards.
        @inline(__always)
        func squaredDistances(from outlook: Outlook) -> SIMD4<Float> {
            let north = SIMD4<Float>(self.latitudes &- outlook.spot.latitude)
            let east = SIMD4<Float>(self.longitudes &- outlook.spot.longitude) * outlook.cosineOfLatitude
            return north * north + east * east
        }

        /// Who has none.
        @inline(__always)
        var hasNoYard: SIMDMask<SIMD4<Int32>> { self.heights .== 0 }

        /// How far the corners of their yards are.
        @inline(__always)
        var reaches: SIMD4<Float> { SIMD4<Float>(self.heights) * (Float(2).squareRoot() * ProximityField.outer) }

        /// R−, R+, T− and T+ of each of them.
        struct Bounds {
            let withinCertainly: SIMD4<Float>
            let withinMaybe: SIMD4<Float>
            let nearCertainly: SIMD4<Float>
            let nearMaybe: SIMD4<Float>
        }

        /// The limits, with their and one's own accuracy.
        @inline(__always)
        func bounds(with outlook: Outlook, _ limits: Limits) -> Bounds {
            let sum = unsafeBitCast(self.accuracies, to: SIMD4<Float>.self) + outlook.accuracy
            let roams = self.heights .> 0
            var (least, most) = (SIMD4(repeating: limits.least), SIMD4(repeating: limits.least))
            if limits.least < limits.most {
                let rough = ProximityField.lesser(sum * Float(PairRadius.share), SIMD4(repeating: limits.most))
                let radius = least.replacing(with: rough, where: least .< rough)
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

        /// For each of them, what the limits that their distance is below count.
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

    // The standard library's `pointwiseMin` and `min()` are calls and go lane by lane.
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

    private static let inner = Float(1 - 2 * RoughPoint.margin)
    private static let outer = Float(1 + 2 * RoughPoint.margin)
    private static let slack: Float = 8
    /// A yard that does not reach 2 m is not worth its making.
    private static let shortestYard = Float(2 / Self.metresPerUnit)
    /// No corner of a yard is further away than 2 km.
    private static let longestYard = Float(2000 / Self.metresPerUnit)
    /// From 70° of latitude on nobody has a yard.
    private static let leastCosine = Float(0.342)

    /// Metres in units.
    static func units(metres: Double) -> Float { Float(metres / Self.metresPerUnit) }
}

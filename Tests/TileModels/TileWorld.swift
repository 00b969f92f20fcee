package import MusterCore

/// Positions of test points: around a few places, at all scales, some of them identical.
package struct TileWorld: Sendable {
    /// The distribution of the places.
    package enum Scene: CaseIterable, Sendable {
        case everywhere
        case dateLine
        case poles
        case town
        case onePlace
        case lattice
    }

    private let scene: Scene
    private var centers: [MercatorPoint] = []

    /// Chooses places.
    package init(_ scene: Scene, _ random: inout some RandomNumberGenerator) {
        self.scene = scene
        for _ in 0..<6 {
            let any = MercatorPoint(morton: random.next())
            switch scene {
            case .everywhere: self.centers.append(any)
            case .dateLine: self.centers.append(MercatorPoint(x: Bool.random(using: &random) ? 0 : .max, y: any.y))
            case .poles: self.centers.append(MercatorPoint(x: any.x, y: Bool.random(using: &random) ? 0 : .max))
            case .town, .onePlace, .lattice:
                self.centers.append(MercatorPoint(x: 2_343_432_205, y: 1_489_700_000))
            }
        }
    }

    /// A random position for a point.
    package func place(_ random: inout some RandomNumberGenerator) -> MercatorPoint {
        let center = self.centers.randomElement(using: &random) ?? MercatorPoint(x: 0, y: 0)
        switch self.scene {
        case .onePlace where Int.random(in: 0..<4, using: &random) > 0: return center
        case .lattice:
            // Corners of cells, where points are often equally far from several centres.
            let size = UInt32(1) << UInt32.random(in: 10...20, using: &random)
            let (x, y) = (UInt32.random(in: 0..<6, using: &random), UInt32.random(in: 0..<6, using: &random))
            return MercatorPoint(x: center.x &+ x &* size, y: center.y &+ y &* size)
        case _: return self.place(near: center, &random)
        }
    }

    /// A position near another: from one step to half the world away.
    package func place(near center: MercatorPoint, _ random: inout some RandomNumberGenerator) -> MercatorPoint {
        let reach = Int64(1) << Int64.random(in: 2...31, using: &random)
        let east = Int64.random(in: -reach...reach, using: &random)
        let south = Int64.random(in: -reach...reach, using: &random)
        // Longitude wraps around; latitude is clamped.
        return MercatorPoint(
            x: UInt32(truncatingIfNeeded: Int64(center.x) + east),
            y: UInt32(clamping: Int64(center.y) + south)
        )
    }
}

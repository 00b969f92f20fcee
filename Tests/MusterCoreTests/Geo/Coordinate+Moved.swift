import MusterMath

@testable import MusterCore

extension Coordinate {
    /// The point `metres` away along the great circle; the bearing is in degrees clockwise from north.
    func moved(_ metres: Double, bearing: Double) -> Self {
        let degree = Double.pi / 180
        let angle = metres / Self.earthRadius
        let (north, course) = (self.latitude * degree, bearing * degree)
        let latitude = arcSine(sine(north) * cosine(angle) + cosine(north) * sine(angle) * cosine(course))
        let east = arcTangent(
            sine(course) * sine(angle) * cosine(north),
            cosine(angle) - sine(north) * sine(latitude)
        )
        let longitude = self.longitude + east / degree
        return Self(latitude: latitude / degree, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
}

/// A random number generator that returns the same sequence for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var value = self.state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A normally distributed number, approximated by the sum of twelve uniform ones.
    mutating func normal(_ deviation: Double) -> Double {
        let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
        return (sum - 6) * deviation
    }
}

import MusterCore
import Scenario

/// A pedestrian who walks straight towards a goal with small deviations, and stays there.
struct Walker {
    /// The current position.
    private(set) var position: Coordinate
    /// The destination.
    var goal: Coordinate
    /// The walking speed in metres per second.
    let pace: Double
    /// The speed of the last step, in metres per second.
    private(set) var speed = 0.0
    /// The direction of the last step, in degrees clockwise from north.
    private(set) var course = 0.0

    /// Creates a pedestrian at rest at `position`.
    init(at position: Coordinate, pace: Double) {
        self.position = position
        self.goal = position
        self.pace = pace
    }

    /// Whether the goal is reached.
    var hasArrived: Bool { self.position.metres(to: self.goal) < 1 }

    /// Walks for `seconds`.
    mutating func step(seconds: Double, using generator: inout SeededGenerator) {
        let offset = self.position.offset(to: self.goal)
        let distance = (offset.east * offset.east + offset.north * offset.north).squareRoot()
        guard distance >= 1 else {
            self.speed = 0
            return
        }
        let length = min(distance, self.pace * seconds)
        // Small random deviations: up to a fifth of a step sideways, none in the last step.
        let sideways = length < distance ? Double.random(in: -0.2...0.2, using: &generator) * length : 0
        let east = offset.east / distance
        let north = offset.north / distance
        self.position = self.position.moved(
            east: east * length - north * sideways,
            north: north * length + east * sideways
        )
        self.speed = length / seconds
        self.course = Coordinate.bearing(east: east, north: north)
    }
}

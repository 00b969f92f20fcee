import MusterCore
import Scenario

/// Somebody on foot: goes straight towards a goal, strays a little, and stays when there.
struct Walker {
    /// Where they are.
    private(set) var position: Coordinate
    /// Where they want to be.
    var goal: Coordinate
    /// Metres a second while walking.
    let pace: Double
    /// The speed of the last step, in metres a second.
    private(set) var speed = 0.0
    /// The direction of the last step, in degrees clockwise from north.
    private(set) var course = 0.0

    /// Puts somebody at `position`, at rest.
    init(at position: Coordinate, pace: Double) {
        self.position = position
        self.goal = position
        self.pace = pace
    }

    /// Whether they are at their goal.
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
        // Nobody walks a ruler's line: up to a fifth of a step goes sideways, none at the end.
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

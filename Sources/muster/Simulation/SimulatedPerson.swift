import MusterCore
import MusterWire
import Scenario

/// One simulated person: an account, a device, and how far the conversation with the server has come.
struct SimulatedPerson {
    /// The name that the others see.
    let name: String
    /// The secret of the login.
    let token: String
    /// The device's name for itself.
    let deviceKey: String
    /// The connection in use; nil while waiting to connect again.
    var connection: Int?
    /// When to connect again, in milliseconds.
    var reconnectAt: Int64 = 0
    /// How often connecting has failed in a row.
    var failures = 0
    /// Whether the server has welcomed the connection.
    var isWelcome = false
    /// Whether the person is in the group.
    var isMember = false
    /// The number of the next fix.
    var sequence: Int64 = 1
    /// Notifications to mark as seen, with the time at which the person looks at the phone.
    var unread: (upTo: Int64, at: Int64)?

    /// Full jitter: anything from nothing to twice as long as last time, half a minute at most.
    mutating func loseConnection(now: Int64, using generator: inout SeededGenerator) {
        self.connection = nil
        self.isWelcome = false
        self.failures += 1
        let most = min(30_000, 250 << min(self.failures, 8))
        self.reconnectAt = now + Int64.random(in: 0...Int64(most), using: &generator)
    }

    /// The first frame of a connection.
    func hello() -> ClientFrame {
        .hello(
            Hello(
                tag: .number(1),
                token: self.token,
                device: .init(key: self.deviceKey, name: "Simulator", kind: .phone)
            )
        )
    }

    /// What the phone reports now.
    mutating func report(_ walker: Walker, battery: Float, noise: (east: Double, north: Double)) -> ClientFrame {
        defer { self.sequence += 1 }
        let isWalking = walker.speed > 0
        return .location(
            nil,
            Fix(
                sequence: self.sequence,
                coordinate: walker.position.moved(east: noise.east, north: noise.north),
                accuracy: 6,
                speed: Float(walker.speed),
                course: isWalking ? Float(walker.course.rounded()) : nil,
                battery: battery,
                trigger: isWalking ? .move : .ping
            )
        )
    }
}

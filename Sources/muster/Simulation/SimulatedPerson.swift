import MusterCore
import MusterWire
import Scenario

/// A simulated person: an account, a device, and the state of the connection.
struct SimulatedPerson {
    /// The display name.
    let name: String
    /// The token of the login.
    let token: String
    /// The device's key.
    let deviceKey: String
    /// The current connection; nil while disconnected.
    var connection: Int?
    /// The time of the next attempt to connect, in milliseconds.
    var reconnectAt: Int64 = 0
    /// The number of consecutive failed attempts.
    var failures = 0
    /// Whether `welcome` was received on the connection.
    var isWelcome = false
    /// Whether the person has joined the group.
    var isMember = false
    /// The sequence number of the next fix.
    var sequence: Int64 = 1
    /// Unread notifications, and the time at which the person reads them.
    var unread: (upTo: Int64, at: Int64)?

    /// Backoff with full jitter: a random delay up to a limit that doubles with each failure, 30 s at most.
    mutating func loseConnection(now: Int64, using generator: inout SeededGenerator) {
        self.connection = nil
        self.isWelcome = false
        self.failures += 1
        let most = min(30_000, 250 << min(self.failures, 8))
        self.reconnectAt = now + Int64.random(in: 0...Int64(most), using: &generator)
    }

    /// The first frame of a connection.
    func hello() -> Hello {
        Hello(
            tag: .number(1),
            token: self.token,
            device: .init(key: self.deviceKey, name: "Simulator", kind: .phone)
        )
    }

    /// The next report of the phone.
    mutating func report(_ walker: Walker, battery: Float, noise: (east: Double, north: Double)) -> Fix {
        defer { self.sequence += 1 }
        let isWalking = walker.speed > 0
        return Fix(
            sequence: self.sequence,
            coordinate: walker.position.moved(east: noise.east, north: noise.north),
            accuracy: 6,
            speed: Float(walker.speed),
            course: isWalking ? Float(walker.course.rounded()) : nil,
            battery: battery,
            trigger: isWalking ? .move : .ping
        )
    }
}

/// Connections that have something to go along with whatever is next written to them, in the order in which they began
/// to wait.
///
/// Each waits by itself: were all let go at once, a shard with 10,000 sessions would now and then write for 60 ms and
/// hold up everything else. A connection that was written to meanwhile (`Connection.boardedAt` is another) is passed over.
struct RideQueue {
    private struct Ride {
        let connection: Connection
        let boardedAt: Int64
    }

    private var rides: [Ride] = []
    /// Rides before this one are over.
    private var next = 0

    /// Whether nobody waits.
    var isEmpty: Bool { self.next == self.rides.count }

    /// Lets a connection wait from `time` on, which is not before anybody else's.
    mutating func append(_ connection: Connection, at time: Int64) {
        connection.boardedAt = time
        self.rides.append(Ride(connection: connection, boardedAt: time))
    }

    /// Takes out the next connection that still waits and has done so since `time` or longer.
    mutating func popFirst(boardedBy time: Int64) -> Connection? {
        while self.next < self.rides.count, self.rides[self.next].boardedAt <= time {
            let ride = self.rides[self.next]
            self.next += 1
            self.makeRoom()
            if ride.connection.boardedAt == ride.boardedAt { return ride.connection }
        }
        return nil
    }

    /// Forgets the rides that are over, once they are half of the list: each is moved once on average.
    private mutating func makeRoom() {
        guard 2 * self.next >= self.rides.count else { return }
        self.rides.removeFirst(self.next)
        self.next = 0
    }
}

@available(*, unavailable)
extension RideQueue: Sendable {}

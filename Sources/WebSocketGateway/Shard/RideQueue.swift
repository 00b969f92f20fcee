import EventLoop

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

    private var rides = ArrivalQueue<Ride>()

    /// Whether nobody waits.
    var isEmpty: Bool { self.rides.isEmpty }

    /// Lets a connection wait from `time` on, which is not before anybody else's.
    mutating func append(_ connection: Connection, at time: Int64) {
        connection.boardedAt = time
        self.rides.append(Ride(connection: connection, boardedAt: time))
    }

    /// Takes out the next connection that still waits and has done so since `time` or longer.
    mutating func popFirst(boardedBy time: Int64) -> Connection? {
        while let ride = self.rides.popFirst(where: { $0.boardedAt <= time }) {
            if ride.connection.boardedAt == ride.boardedAt { return ride.connection }
        }
        return nil
    }
}

@available(*, unavailable)
extension RideQueue: Sendable {}

import MusterCore
import MusterServer
import Postgres

/// Generates fixes of many users in turn, as records of the journal or as rows of a COPY.
struct FixRows {
    /// The user and the device of a fix.
    struct Sender: Sendable {
        let user: UserID
        let device: DeviceID
    }

    private let senders: [Sender]
    /// The time of each user's last position record, in milliseconds.
    private var positionWrites: [Int64]
    /// The number of fixes so far.
    private(set) var count = 0
    /// The number of the last record.
    private(set) var lastRecord: Int64 = 0

    /// Creates a generator that starts with the first fix of the first sender.
    init(_ senders: [Sender]) {
        self.senders = senders
        self.positionWrites = Array(repeating: 0, count: senders.count)
    }

    /// Appends the records of `number` fixes, with position records at the world's rate for a backlog of `backlog`
    /// records.
    mutating func makeEntries(_ number: Int, now: Int64, backlog: Int, into entries: inout [JournalEntry]) {
        let interval = World.positionInterval(load: Int64(backlog))
        for _ in 0..<number {
            let place = self.count % self.senders.count
            let record = self.makeRecord(now: now)
            self.append(.fix(record), to: &entries)
            guard now - self.positionWrites[place] >= interval else { continue }
            self.positionWrites[place] = now
            let position = StoredPosition(device: record.device, fix: record.fix, isStationary: false)
            self.append(.position(record.user, position, .ok), to: &entries)
        }
    }

    /// Appends the row of one fix.
    mutating func appendRow(now: Int64, to rows: inout CopyWriter) { rows.append(self.makeRecord(now: now)) }

    private mutating func append(_ record: JournalRecord, to entries: inout [JournalEntry]) {
        self.lastRecord += 1
        entries.append(JournalEntry(number: self.lastRecord, record: record))
    }

    private mutating func makeRecord(now: Int64) -> FixRecord {
        let sender = self.senders[self.count % self.senders.count]
        return FixRecord(
            device: sender.device,
            user: sender.user,
            fix: self.makeFix(now: now),
            receivedAt: Timestamp(milliseconds: now),
            verdict: .ok
        )
    }

    private mutating func makeFix(now: Int64) -> Fix {
        let number = Int64(self.count / self.senders.count) + 1
        let place = FixPlace(group: self.count % self.senders.count, member: 0, number: number)
        self.count += 1
        return Fix(
            sequence: number,
            at: Timestamp(milliseconds: now),
            coordinate: Coordinate(latitude: Double(place.latitude) / 1e7, longitude: Double(place.longitude) / 1e7),
            accuracy: 8,
            speed: 1.4,
            course: 270,
            battery: 0.81,
            trigger: .move
        )
    }
}

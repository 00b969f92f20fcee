import MusterCore
import MusterStore
import Postgres

/// Makes up fixes of many people in turn, as records of the journal or as rows of a COPY.
struct FixRows {
    /// Whose fix it is, and of which device.
    struct Sender: Sendable {
        let user: UserID
        let device: DeviceID
    }

    /// The columns of `muster.fix`.
    static let columnCount = 14

    private let senders: [Sender]
    /// When each person's position was last written, in milliseconds.
    private var positionWrites: [Int64]
    /// Fixes that were made so far.
    private(set) var count = 0
    /// The number of the last record.
    private(set) var lastRecord: Int64 = 0

    /// Starts with the first sender's first fix.
    init(_ senders: [Sender]) {
        self.senders = senders
        self.positionWrites = Array(repeating: 0, count: senders.count)
    }

    /// Makes the records of `number` fixes, and like the world at most one position a second and person.
    mutating func makeEntries(_ number: Int, now: Int64, into entries: inout [JournalEntry]) {
        for _ in 0..<number {
            let place = self.count % self.senders.count
            let sender = self.senders[place]
            let fix = self.makeFix(now: now)
            let record = FixRecord(
                device: sender.device,
                user: sender.user,
                fix: fix,
                receivedAt: Timestamp(milliseconds: now),
                verdict: .ok
            )
            self.append(.fix(record), to: &entries)
            guard now - self.positionWrites[place] >= 1000 else { continue }
            self.positionWrites[place] = now
            let position = StoredPosition(device: sender.device, fix: fix, isStationary: false)
            self.append(.position(sender.user, position, .ok), to: &entries)
        }
    }

    /// Appends the row of one fix, the columns in the table's order.
    mutating func appendRow(now: Int64, to rows: inout CopyWriter) {
        let sender = self.senders[self.count % self.senders.count]
        let fix = self.makeFix(now: now)
        rows.beginRow()
        rows.append(sender.device.rawValue)
        rows.append(fix.sequence)
        rows.append(sender.user.rawValue)
        rows.append(unixMilliseconds: now)
        rows.append(unixMilliseconds: now)
        rows.append(fix.coordinate.latitude)
        rows.append(fix.coordinate.longitude)
        rows.append(fix.accuracy)
        rows.append(fix.altitude)
        rows.append(fix.speed)
        rows.append(fix.course)
        rows.append(fix.battery)
        rows.append(fix.trigger?.rawValue)
        rows.append(FixVerdict.ok.rawValue)
    }

    private mutating func append(_ record: JournalRecord, to entries: inout [JournalEntry]) {
        self.lastRecord += 1
        entries.append(JournalEntry(number: self.lastRecord, record: record))
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

package import MusterCore
package import Postgres

// The rows are copied in the order of people, and of each person in the order in which the fixes came: rows that are
// neighbours in the b-tree (user_id, at) go in one after the other, while its leaf is in the processor's cache. With ten
// fixes of each person in a batch a row costs the server a third less than in the order of arrival; with one it costs
// the same.
//
// Rows of one day go straight into that day's partition. Finding the partition row by row costs the server a sixth of
// its time for a row.

/// The fixes of a batch as rows for COPY, and how far each device gets by them.
struct JournalFixes: ~Copyable {
    /// A device with fixes, or news of itself, in the batch.
    struct Device {
        let device: DeviceID
        let user: UserID
        /// What its `acked_seq` rises to.
        var acknowledged: Int64
        var lastSeen: Timestamp
        /// What is known of its clock since the last of its fixes, in milliseconds; nil when that is nothing.
        var clockOffset: Int32?
        /// What is to be kept of it since the last of its fixes; nil when nothing of that is new.
        var memory: DeviceMemory?
        /// The first and the last of its rows, and `none` when there is none.
        fileprivate var firstRow = none
        fileprivate var lastRow = none
    }

    private static let none = -1
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The rows, in the table's order of columns.
    private(set) var rows = CopyWriter.forFixes()
    /// The devices; by person once `sort` was called.
    private(set) var devices: [Device] = []
    /// Devices whose refused fix is among the fixes this time.
    private(set) var resolved: Set<DeviceID> = []
    private var places: [DeviceID: Int] = [:]
    /// Of each row the next one of its device.
    private var nextRows: [Int] = []
    private var order: [Int] = []
    private var firstDay = Int64.max
    private var lastDay = Int64.min

    /// The day since the epoch, in UTC, at which all of the fixes were taken; nil when there is no such day.
    var day: Int64? { self.firstDay == self.lastDay ? self.firstDay : nil }

    /// The days on which the fixes were taken, with those in between; nil when there are no fixes.
    var days: ClosedRange<Int64>? { self.firstDay <= self.lastDay ? self.firstDay...self.lastDay : nil }

    /// Adds a fix.
    ///
    /// - Parameters:
    ///   - record: the fix.
    ///   - refused: the fix of a device below which its `acked_seq` must stay until that fix is written.
    mutating func add(_ record: FixRecord, refused: [DeviceID: Int64]) {
        let sequence = record.fix.sequence
        var mayRise = true
        if !refused.isEmpty, let limit = refused[record.device], !self.resolved.contains(record.device) {
            if limit == sequence { self.resolved.insert(record.device) } else { mayRise = sequence < limit }
        }
        let place = self.place(of: record.device, user: record.user, receivedAt: record.receivedAt)
        if mayRise { self.devices[place].acknowledged = max(self.devices[place].acknowledged, sequence) }
        self.devices[place].lastSeen = max(self.devices[place].lastSeen, record.receivedAt)
        self.devices[place].clockOffset = record.clockOffset
        // Acknowledged, and stored by an earlier record.
        guard record.verdict != .duplicate else { return }
        let row = self.rows.rowCount
        if self.devices[place].lastRow == Self.none {
            self.devices[place].firstRow = row
        } else {
            self.nextRows[self.devices[place].lastRow] = row
        }
        self.devices[place].lastRow = row
        self.nextRows.append(Self.none)
        let day = Self.day(of: record.takenAt)
        self.firstDay = min(self.firstDay, day)
        self.lastDay = max(self.lastDay, day)
        self.rows.append(record)
    }

    /// Adds what is to be kept of a device; its fixes can be in the batch before, when that was halved.
    mutating func add(_ record: DeviceRecord) {
        let place = self.place(of: record.device, user: record.user, receivedAt: record.receivedAt)
        self.devices[place].lastSeen = max(self.devices[place].lastSeen, record.receivedAt)
        self.devices[place].clockOffset = record.clockOffset
        self.devices[place].memory = record.memory
    }

    /// Puts devices and rows in the order of people; to be called once, after the last fix.
    mutating func sort() {
        self.devices.sort { ($0.user, $0.device) < ($1.user, $1.device) }
        guard self.devices.count > 1, self.rows.rowCount > 1 else { return }
        self.order.removeAll(keepingCapacity: true)
        for device in self.devices {
            var row = device.firstRow
            while row != Self.none {
                self.order.append(row)
                row = self.nextRows[row]
            }
        }
        self.rows.arrange(by: self.order)
    }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        self.rows.removeAll()
        self.devices.removeAll(keepingCapacity: true)
        self.resolved.removeAll(keepingCapacity: true)
        self.places.removeAll(keepingCapacity: true)
        self.nextRows.removeAll(keepingCapacity: true)
        self.firstDay = .max
        self.lastDay = .min
    }

    private mutating func place(of device: DeviceID, user: UserID, receivedAt: Timestamp) -> Int {
        // What a phone kept while it had no network comes in one go.
        if let last = self.devices.last, last.device == device { return self.devices.count - 1 }
        if let place = self.places[device] { return place }
        self.places[device] = self.devices.count
        self.devices.append(Device(device: device, user: user, acknowledged: 0, lastSeen: receivedAt))
        return self.devices.count - 1
    }

    static func day(of moment: Timestamp) -> Int64 {
        let (quotient, remainder) = moment.milliseconds.quotientAndRemainder(dividingBy: self.millisecondsPerDay)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension FixRecord {
    /// When it was taken, as far as anybody knows.
    fileprivate var takenAt: Timestamp { self.fix.at ?? self.receivedAt }
}

extension CopyWriter {
    /// Creates a writer of rows of `muster.fix`, all columns in the table's order.
    package static func forFixes() -> CopyWriter { CopyWriter(columnCount: 14) }

    /// Appends a row of `muster.fix`.
    package mutating func append(_ record: FixRecord) {
        let fix = record.fix
        self.beginRow()
        self.append(record.device.rawValue)
        self.append(fix.sequence)
        self.append(record.user.rawValue)
        self.append(unixMilliseconds: record.takenAt.milliseconds)
        self.append(unixMilliseconds: record.receivedAt.milliseconds)
        self.append(fix.coordinate.latitude)
        self.append(fix.coordinate.longitude)
        self.append(fix.accuracy)
        self.append(fix.altitude)
        self.append(fix.speed)
        self.append(fix.course)
        self.append(fix.battery)
        self.append(fix.trigger?.rawValue)
        self.append(record.verdict.rawValue)
    }
}

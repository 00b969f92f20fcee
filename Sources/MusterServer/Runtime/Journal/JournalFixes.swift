package import MusterCore
package import Postgres

// Rows are copied in the order of users and, for each user, in the order of arrival. Neighbours in the b-tree (user_id,
// at) are then inserted consecutively, while their leaf page is in the processor's cache. With ten fixes per user in a
// batch, a row costs the server a third less than in the order of arrival. With one fix per user it costs the same.
//
// Rows of one day are copied directly into that day's partition. Routing each row to its partition takes a sixth of the
// server's time for the row.

/// The fixes of a batch as rows for COPY, and the progress of each device.
struct JournalFixes: ~Copyable {
    /// A device with fixes or other changes in the batch.
    struct Device {
        let device: DeviceID
        let user: UserID
        /// The new value of `acked_seq`.
        var acknowledged: Int64
        var lastSeen: Timestamp
        /// The clock offset after the last fix, in milliseconds; nil when it is unknown.
        var clockOffset: Int32?
        /// The anchor and pending fix after the last fix; nil when unchanged.
        var memory: DeviceMemory?
        /// The first and last row of the device; `none` when there is none.
        fileprivate var firstRow = none
        fileprivate var lastRow = none
    }

    private static let none = -1
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The rows, with columns in the order of the table.
    private(set) var rows = CopyWriter.forFixes()
    /// The devices, ordered by user after `sort`.
    private(set) var devices: [Device] = []
    /// Devices whose refused fix is in this batch.
    private(set) var resolved: Set<DeviceID> = []
    private var places: [DeviceID: Int] = [:]
    /// For each row, the next row of the same device.
    private var nextRows: [Int] = []
    private var order: [Int] = []
    private var firstDay = Int64.max
    private var lastDay = Int64.min

    /// The common day of all fixes, in days since the epoch, in UTC; nil when they differ or there are none.
    var day: Int64? { self.firstDay == self.lastDay ? self.firstDay : nil }

    /// The range of days of the fixes; nil when there are no fixes.
    var days: ClosedRange<Int64>? { self.firstDay <= self.lastDay ? self.firstDay...self.lastDay : nil }

    /// Adds a fix.
    ///
    /// - Parameters:
    ///   - record: the fix.
    ///   - refused: per device, the refused fix; its `acked_seq` stays below that fix until the fix is written.
    mutating func add(_ record: FixRecord, refused: [DeviceID: Int64]) {
        let sequence = record.fix.sequence
        var mayRise = true
        if !refused.isEmpty, let limit = refused[record.device], !self.resolved.contains(record.device) {
            if limit == sequence { self.resolved.insert(record.device) } else { mayRise = sequence < limit }
        }
        let index = self.index(of: record.device, user: record.user, receivedAt: record.receivedAt)
        if mayRise { self.devices[index].acknowledged = max(self.devices[index].acknowledged, sequence) }
        self.devices[index].lastSeen = max(self.devices[index].lastSeen, record.receivedAt)
        self.devices[index].clockOffset = record.clockOffset
        // Duplicates are acknowledged, but an earlier record has stored them.
        guard record.verdict != .duplicate else { return }
        let row = self.rows.rowCount
        if self.devices[index].lastRow == Self.none {
            self.devices[index].firstRow = row
        } else {
            self.nextRows[self.devices[index].lastRow] = row
        }
        self.devices[index].lastRow = row
        self.nextRows.append(Self.none)
        let day = Self.day(of: record.takenAt)
        self.firstDay = min(self.firstDay, day)
        self.lastDay = max(self.lastDay, day)
        self.rows.append(record)
    }

    /// Adds a change of a device; after halving, its fixes may be in the previous batch.
    mutating func add(_ record: DeviceRecord) {
        let index = self.index(of: record.device, user: record.user, receivedAt: record.receivedAt)
        self.devices[index].lastSeen = max(self.devices[index].lastSeen, record.receivedAt)
        self.devices[index].clockOffset = record.clockOffset
        self.devices[index].memory = record.memory
    }

    /// Sorts devices and rows by user; called once, after the last fix.
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

    /// Removes all fixes, and keeps the memory.
    mutating func removeAll() {
        self.rows.removeAll()
        self.devices.removeAll(keepingCapacity: true)
        self.resolved.removeAll(keepingCapacity: true)
        self.places.removeAll(keepingCapacity: true)
        self.nextRows.removeAll(keepingCapacity: true)
        self.firstDay = .max
        self.lastDay = .min
    }

    private mutating func index(of device: DeviceID, user: UserID, receivedAt: Timestamp) -> Int {
        // Fixes that a phone buffered while offline arrive together.
        if let last = self.devices.last, last.device == device { return self.devices.count - 1 }
        if let index = self.places[device] { return index }
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
    /// The reported time of the fix, or the time of its arrival.
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

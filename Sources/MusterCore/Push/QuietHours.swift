/// The hours of a day in which some kinds of notifications are not pushed.
package struct QuietHours: Sendable, Equatable {
    /// The kinds that are quiet unless the user chooses others.
    package static let usualKinds = ["new_spot", "messages"]

    /// The minutes of a day.
    package static let minutes = 0..<1440

    /// The first minute of the day that is quiet.
    package var start: Int
    /// The first minute of the day that is not quiet any more; before `start` for hours over midnight.
    package var end: Int
    /// The name of the time zone, such as `Europe/Berlin`.
    package var zone: String
    package var kinds: [String]

    /// Creates hours.
    package init(start: Int, end: Int, zone: String, kinds: [String] = Self.usualKinds) {
        self.start = start
        self.end = end
        self.zone = zone
        self.kinds = kinds
    }

    /// Whether a kind is quiet at a minute of the user's day.
    package func silence(_ kind: String, at minute: Int) -> Bool {
        guard self.kinds.contains(kind) else { return false }
        return self.start <= self.end
            ? (self.start..<self.end).contains(minute) : minute >= self.start || minute < self.end
    }

    /// The minute of the day at a time, in a zone that is `offset` seconds ahead of UTC then.
    package static func minute(at time: Timestamp, offset: Int) -> Int {
        let day: Int64 = 86_400_000
        let local = (time.milliseconds + Int64(offset) * 1_000) % day
        return Int((local + day) % day / 60_000)
    }

    /// Parses a time of day, such as `22:00`; nil for another text.
    package static func minute(_ text: String) -> Int? {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(digits[$0]) })
        else { return nil }
        let number = { Int(digits[$0] - 0x30) * 10 + Int(digits[$0 + 1] - 0x30) }
        return number(0) < 24 && number(3) < 60 ? number(0) * 60 + number(3) : nil
    }

    /// A minute of the day as text.
    package static func text(_ minute: Int) -> String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

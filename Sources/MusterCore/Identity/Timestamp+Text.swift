// The civil date of a day is computed as in H. Hinnant, "chrono-Compatible Low-Level Date Algorithms". Years begin in
// March, so that a leap day is the last of its year, and 400 years are 146,097 days.

extension Timestamp {
    private static let day: Int64 = 86_400_000

    /// The moment in UTC in ISO 8601 form: `2026-11-20T18:00:03.250Z`.
    package var text: String {
        let days = self.milliseconds.floorDivided(by: Self.day)
        let rest = self.milliseconds - days * Self.day
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = (
            year: yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1
        )
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { Self.digits($0, 2) }
        return "\(Self.digits(date.year, 4))-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2))T"
            + "\(time[0]):\(time[1]):\(time[2]).\(Self.digits(rest % 1000, 3))Z"
    }

    /// Parses the form that `text` writes; nil for anything else.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00.000Z".utf8)
        let isDigit = bytes.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard bytes.count == pattern.count,
            zip(bytes, pattern).enumerated().allSatisfy({ place, pair in
                pair.1 == UInt8(ascii: "0") ? isDigit[place] : pair.0 == pair.1
            })
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
        let (month, day) = (number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 60 else { return nil }
        let year = number(0..<4) - (month <= 2 ? 1 : 0)
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let seconds = hour * 3600 + minute * 60 + second
        self.init(milliseconds: days * Self.day + seconds * 1000 + number(20..<23))
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Self) -> Self {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}

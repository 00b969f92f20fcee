// Phones' apps send times as seconds, as milliseconds, as ISO 8601 with or without a zone, or as `2026-11-27 08:00:00`.

extension Timestamp {
    /// Reads a time in the forms of phones' apps; nil when the text has none of them.
    ///
    /// A number below 2³¹ counts seconds, a greater one milliseconds. A text without a zone is in UTC.
    package init?(appText text: String) {
        let text = text.utf8.drop { $0 == 0x20 }
        if let number = Double(String(Substring(text))), number.isFinite {
            let milliseconds = number < 2_147_483_648 ? number * 1_000 : number
            guard milliseconds.magnitude < 1e15 else { return nil }
            self.init(milliseconds: Int64(milliseconds))
            return
        }
        var reader = DigitReader(rest: text[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip(" "), let hour = reader.number(2),
            reader.skip(":"), let minute = reader.number(2), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60
        else { return nil }
        var milliseconds: Int64 = 0
        if reader.skip(":") {
            guard let second = reader.number(2), second <= 60 else { return nil }
            milliseconds = second * 1_000
            if reader.skip(".") || reader.skip(",") {
                guard let fraction = reader.fraction() else { return nil }
                milliseconds += fraction
            }
        }
        guard let offset = reader.zone(), reader.rest.isEmpty else { return nil }
        let minutes = (Self.days(year, month, day) * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: minutes * 60_000 + milliseconds)
    }

    /// The days from 1970 to a date of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // The year begins in March, so that the leap day is its last day.
        let year = month <= 2 ? year - 1 : year
        let era = year.quotientFloor(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, rest) = self.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// Reads digits and signs from the beginning of a text.
private struct DigitReader {
    var rest: Substring.UTF8View.SubSequence

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int64? {
        let digits = self.rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.rest = self.rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads the digits after a decimal point, as milliseconds.
    mutating func fraction() -> Int64? {
        let digits = self.rest.prefix { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty else { return nil }
        self.rest = self.rest.dropFirst(digits.count)
        let first = digits.prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return digits.count >= 3 ? first : digits.count == 2 ? first * 10 : first * 100
    }

    /// Reads a sign, if it is the next one.
    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard self.rest.first == UInt8(ascii: sign) else { return false }
        self.rest = self.rest.dropFirst()
        return true
    }

    /// Reads a zone as minutes east of UTC; 0 at the end of the text.
    mutating func zone() -> Int64? {
        if self.rest.isEmpty || self.skip("Z") || self.skip("z") { return 0 }
        let isWest = self.skip("-")
        guard isWest || self.skip("+"), let hours = self.number(2) else { return nil }
        _ = self.skip(":")
        let minutes = self.rest.isEmpty ? 0 : self.number(2)
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}

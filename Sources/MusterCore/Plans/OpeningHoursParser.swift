/// A parser of `opening_hours` values; see `OpeningHours` for the supported subset.
struct OpeningHoursParser {
    /// Times of a day in minutes from its beginning; they may end on the following day.
    typealias Times = [Range<Int>]

    private static let dayNames = ["mo", "tu", "we", "th", "fr", "sa", "su"]
    private static let dayMinutes = 24 * 60

    private var rest: Substring.UnicodeScalarView

    /// Creates a parser of a text.
    init(_ text: String) {
        self.rest = Substring(text.lowercased()).unicodeScalars
    }

    /// The times that begin on each of the seven days, Monday first; nil when the text has an unsupported element.
    mutating func days() -> [Times]? {
        var days = [Times](repeating: [], count: 7)
        var (isAddition, isFirst) = (false, true)
        repeat {
            self.skipSpace()
            // The last rule may be empty: `Mo-Fr 08:00-17:00;`
            if self.rest.isEmpty { return isAddition || isFirst ? nil : days }
            isFirst = false
            guard let rule = self.rule() else { return nil }
            for day in rule.days {
                if rule.times.isEmpty || !isAddition { days[day] = [] }
                days[day] += rule.times
            }
            self.skipSpace()
            isAddition = self.accept(",")
        } while isAddition || self.accept(";")
        return self.rest.isEmpty ? days : nil
    }

    /// Parses a rule: days, and the times at which the place is open on them; no times mean closed.
    private mutating func rule() -> (days: [Int], times: Times)? {
        if self.accept("24/7") { return (Array(0..<7), [0..<Self.dayMinutes]) }
        guard let days = self.dayList() else { return nil }
        self.skipSpace()
        if self.accept("off") || self.accept("closed") { return (days, []) }
        guard let first = self.rest.first, ("0"..."9").contains(first) else {
            // Days alone mean open all day. A rule without days and times is invalid.
            return days.isEmpty || days.count == 7 && !self.namedDays ? nil : (days, [0..<Self.dayMinutes])
        }
        guard let times = self.timeList() else { return nil }
        return (days, times)
    }

    /// Whether the last list of days was written out.
    private var namedDays = false

    /// Parses the list of days: all days when it is absent, none when it names only holidays; nil when it is invalid.
    private mutating func dayList() -> [Int]? {
        self.namedDays = false
        var days: Set<Int> = []
        var isFirst = true
        while isFirst || self.acceptBefore(",", letter: true) {
            self.skipSpace()
            guard let letter = self.rest.first, ("a"..."z").contains(letter) else { break }
            if self.peek("off") || self.peek("closed") { break }
            isFirst = false
            if self.accept("ph") || self.accept("sh") {
                self.namedDays = true
                continue
            }
            guard let begin = self.day() else { return nil }
            self.namedDays = true
            self.skipSpace()
            guard self.accept("-") else {
                days.insert(begin)
                continue
            }
            self.skipSpace()
            guard let end = self.day() else { return nil }
            for offset in 0...((end - begin + 7) % 7) { days.insert((begin + offset) % 7) }
        }
        _ = self.accept(":")
        return self.namedDays ? days.sorted() : Array(0..<7)
    }

    private mutating func day() -> Int? {
        guard let day = Self.dayNames.firstIndex(where: { self.peek($0) }) else { return nil }
        _ = self.accept(Self.dayNames[day])
        // `Mo[1]` and `Monday` are not supported.
        if let next = self.rest.first, ("a"..."z").contains(next) || next == "[" { return nil }
        return day
    }

    private mutating func timeList() -> Times? {
        var times: Times = []
        repeat {
            self.skipSpace()
            guard let begin = self.time(), begin < Self.dayMinutes else { return nil }
            self.skipSpace()
            guard self.accept("-") else { return nil }
            self.skipSpace()
            guard var end = self.time() else { return nil }
            if end <= begin { end += Self.dayMinutes }
            guard end <= 2 * Self.dayMinutes else { return nil }
            // An open end, `10:00-18:00+`, means an unknown closing time.
            if self.rest.first == "+" { return nil }
            times.append(begin..<end)
        } while self.acceptBefore(",", letter: false)
        return times
    }

    /// Parses a time such as `08:30` into minutes; up to 48:00, for times that end on the next day.
    private mutating func time() -> Int? {
        guard let hour = self.number(), self.accept(":"), let minute = self.number(), hour <= 48, minute < 60 else {
            return nil
        }
        return hour * 60 + minute
    }

    private mutating func number() -> Int? {
        let digits = self.rest.prefix(3).prefix { ("0"..."9").contains($0) }
        guard (1...2).contains(digits.count) else { return nil }
        self.rest.removeFirst(digits.count)
        return Int(String(digits))
    }

    // MARK: - Text

    private mutating func skipSpace() {
        while let first = self.rest.first, first.properties.isWhitespace { self.rest.removeFirst() }
    }

    private func peek(_ word: String) -> Bool { self.rest.starts(with: word.unicodeScalars) }

    private mutating func accept(_ word: String) -> Bool {
        guard self.peek(word) else { return false }
        self.rest.removeFirst(word.unicodeScalars.count)
        return true
    }

    /// Accepts a separator if it is followed by a letter, or by a digit, as requested.
    private mutating func acceptBefore(_ separator: Unicode.Scalar, letter: Bool) -> Bool {
        var after = self.rest
        while let first = after.first, first.properties.isWhitespace { after.removeFirst() }
        guard after.popFirst() == separator else { return false }
        while let first = after.first, first.properties.isWhitespace { after.removeFirst() }
        guard let next = after.first, (letter ? "a"..."z" : "0"..."9").contains(next) else { return false }
        self.rest = after
        return true
    }
}

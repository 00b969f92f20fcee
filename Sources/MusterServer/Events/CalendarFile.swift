import MusterCore
import MusterWire

// RFC 5545: a line ends with CRLF and is folded after at most 75 octets, never within a character. In a text,
// backslash, comma, semicolon and line feed are escaped. Times are in UTC.

/// An encoder of events as an iCalendar file.
struct CalendarFile {
    private static let longestLine = 75

    private let user: UserID
    private let now: Timestamp
    private let linkBase: String
    private var text: [UInt8] = []

    /// Returns the file of a user's events, as visible to that user.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - user: the user.
    ///   - now: the current time.
    ///   - linkBase: the URL before the path of links to the page.
    /// - Returns: the file.
    static func encode(_ events: [Event], for user: UserID, at now: Timestamp, linkBase: String) -> [UInt8] {
        var file = CalendarFile(user: user, now: now, linkBase: linkBase)
        file.add("BEGIN", "VCALENDAR")
        file.add("VERSION", "2.0")
        file.add("PRODID", "-//Muster//Events//EN")
        file.add("CALSCALE", "GREGORIAN")
        file.add("METHOD", "PUBLISH")
        for event in events { file.add(event) }
        file.add("END", "VCALENDAR")
        return file.text
    }

    private init(user: UserID, now: Timestamp, linkBase: String) {
        self.user = user
        self.now = now
        self.linkBase = linkBase
    }

    private mutating func add(_ full: Event) {
        let event = full.isCoarse(for: self.user) ? full.coarsened : full
        self.add("BEGIN", "VEVENT")
        self.add("UID", "event-\(event.id)@muster")
        self.add("DTSTAMP", Self.moment(self.now))
        self.add("CREATED", Self.moment(event.createdAt))
        self.add("LAST-MODIFIED", Self.moment(event.changedAt))
        self.add("SEQUENCE", String(event.version))
        self.add("DTSTART", Self.moment(event.startsAt))
        self.add("DTEND", Self.moment(event.endsAt))
        self.add("SUMMARY", Self.escaped(event.title))
        if let text = event.text { self.add("DESCRIPTION", Self.escaped(text)) }
        if let place = event.place { self.add("LOCATION", Self.escaped(place)) }
        self.add("GEO", "\(Self.degrees(event.coordinate.latitude));\(Self.degrees(event.coordinate.longitude))")
        if let category = event.category { self.add("CATEGORIES", Self.escaped(category)) }
        self.add("STATUS", self.status(of: event))
        self.add("URL", "\(self.linkBase)/#/events/\(event.id)")
        self.add("END", "VEVENT")
    }

    private func status(of event: Event) -> String {
        guard !event.isCancelled else { return "CANCELLED" }
        switch event.guest(self.user)?.rsvp {
        case .maybe, .waiting: return "TENTATIVE"
        case .yes, .no, .removed, nil: return "CONFIRMED"
        }
    }

    // MARK: Lines

    private mutating func add(_ name: String, _ value: String) {
        var length = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if length + bytes.count > Self.longestLine {
                self.text += Array("\r\n ".utf8)
                // The space is the first character of the next line.
                length = 1
            }
            self.text += bytes
            length += bytes.count
        }
        self.text += Array("\r\n".utf8)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func degrees(_ value: Double) -> String {
        var digits: [UInt8] = []
        digits.append(degrees: value)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns a time in UTC, as in `20261123T183000Z`.
    private static func moment(_ moment: Timestamp) -> String {
        moment.text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

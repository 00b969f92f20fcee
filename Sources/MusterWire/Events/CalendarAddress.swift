/// Where a person's calendar program finds their events: the key in it stands for the person, because calendars send no token.
package enum CalendarAddress {
    /// The path of all events of the person with a key.
    package static func path(key: String) -> String { "/v1/me/events.ics?k=\(key)" }

    /// Whether a text can be a key: 128 bits in hexadecimal digits.
    package static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}

/// The URL of a user's calendar feed.
///
/// It contains a key that identifies the user, because calendar programs send no token.
import MusterWire

enum CalendarAddress {
    /// Returns the path of the calendar feed for a key.
    static func path(key: String) -> String { "/v1/me/events.ics?k=\(key)" }

    /// Returns whether a text is a valid key: 128 bits in hexadecimal digits.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}

// A glance must fit a frame of 2 KiB. Its size is estimated, never too low, from its texts and the maximum size of its
// numbers, so a changed digit does not change which items fit. As far as needed, items are dropped in this order: the
// farthest spots, the oldest arrivals, groups without a gathering, the oldest notifications, other groups.

extension Glance {
    /// The maximum size of a frame in bytes.
    static let longestFrame = 2_048

    private static let frameCapacity =
        Self.bytes(#"{"type":"glance","at":,"groups":[],"spots":[],"places":[],"notifications":[]}"#) + 20

    /// The glance without the items that do not fit a frame.
    func fitted(to limit: Int = Self.longestFrame) -> Glance {
        var glance = self
        var room = self.room
        while room > limit, let spot = glance.spots.popLast() { room -= spot.room }
        while room > limit, let place = glance.places.popLast() { room -= place.room }
        while room > limit, let group = glance.groups.last, group.together == 0 {
            glance.groups.removeLast()
            room -= group.room
        }
        while room > limit, let notification = glance.notifications.popLast() { room -= notification.room }
        while room > limit, let group = glance.groups.popLast() { room -= group.room }
        return glance
    }

    /// The size of its frame in bytes, or slightly more.
    package var room: Int {
        self.groups.reduce(0) { $0 + $1.room } + self.spots.reduce(0) { $0 + $1.room }
            + self.places.reduce(0) { $0 + $1.room }
            + self.notifications.reduce(Self.frameCapacity) { $0 + $1.room }
    }

    /// The size of a text in bytes.
    fileprivate static func bytes(_ text: StaticString) -> Int { text.utf8CodeUnitCount }

    /// The size of a text in JSON in bytes, including escapes.
    fileprivate static func bytes(escaped text: String) -> Int {
        text.utf8.reduce(0) { size, byte in
            switch byte {
            case 0..<0x20: size + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
            case _: size + 1
            }
        }
    }

    /// The number of digits of a number, including the sign.
    fileprivate static func bytes(digits number: Int64) -> Int {
        var rest = number.magnitude / 10
        var digits = number < 0 ? 2 : 1
        while rest > 0 {
            rest /= 10
            digits += 1
        }
        return digits
    }

    /// The maximum size of latitude and longitude.
    fileprivate static let pointCapacity = 11 + 12
    /// The maximum size of a distance: half the circumference of the earth.
    fileprivate static let distanceCapacity = 8
}

extension Glance.Group {
    private static let fixedCapacity = Glance.bytes(#"{"id":"","name":"","together":,"of":,"you":"out"},"#)
    private static let placeCapacity = Glance.bytes(#","place":{"lat":,"lon":}"#) + Glance.pointCapacity
    private static let nameCapacity = Glance.bytes(#","name":"""#)
    private static let distanceCapacity = Glance.bytes(#","distance":"#) + Glance.distanceCapacity

    /// The maximum size, including a comma.
    fileprivate var room: Int {
        let name = self.place?.name.map { Self.nameCapacity + Glance.bytes(escaped: $0) } ?? 0
        let place = self.place == nil ? 0 : Self.placeCapacity
        let distance = self.distance == nil ? 0 : Self.distanceCapacity
        return Self.fixedCapacity + Glance.bytes(digits: self.id.rawValue) + Glance.bytes(escaped: self.name)
            + Glance.bytes(digits: Int64(self.together)) + Glance.bytes(digits: Int64(self.of)) + place + name
            + distance
    }
}

extension Glance.Spot {
    private static let fixedCapacity =
        Glance.bytes(#"{"id":"","lat":,"lon":,"comment":"","likes":,"dislikes":,"distance":},"#) + Glance.pointCapacity
        + Glance.distanceCapacity

    /// The maximum size, including a comma.
    fileprivate var room: Int {
        Self.fixedCapacity + Glance.bytes(digits: self.text.spot.rawValue) + Glance.bytes(escaped: self.text.comment)
            + Glance.bytes(digits: Int64(self.text.likes)) + Glance.bytes(digits: Int64(self.text.dislikes))
    }
}

extension Glance.Place {
    private static let fixedCapacity =
        Glance.bytes(#"{"user":"","name":"","place":"","state":"arrived","at":},"#)

    /// The maximum size, including a comma.
    fileprivate var room: Int {
        Self.fixedCapacity + Glance.bytes(digits: self.user.rawValue) + Glance.bytes(escaped: self.name)
            + Glance.bytes(escaped: self.place) + Glance.bytes(digits: self.at.milliseconds)
    }
}

extension Glance.Notification {
    private static let fixedCapacity = Glance.bytes(#"{"notification":,"kind":"","text":""},"#)
    private static let groupCapacity = Glance.bytes(#","group":"""#)

    /// The maximum size, including a comma.
    fileprivate var room: Int {
        let group = self.group.map { Self.groupCapacity + Glance.bytes(digits: $0.rawValue) } ?? 0
        return Self.fixedCapacity + Glance.bytes(digits: self.number) + Glance.bytes(escaped: self.kind)
            + Glance.bytes(escaped: self.text) + group
    }
}

/// Writes `location` frames into one buffer that is used again and again.
struct FixFrame {
    /// A place in units of 10⁻⁷ degree, the wire's precision.
    struct Place: Equatable {
        var latitude: Int64
        var longitude: Int64
    }

    /// The frame that was written last.
    private(set) var bytes: [UInt8] = []

    /// Where a member of a group is at their `number`th fix: groups lie apart, members 2 km from each other, and
    /// everybody paces up and down 200 m in steps of a metre.
    static func place(group: Int, member: Int, number: Int64) -> Place {
        let step = number % 400
        let pace = step < 200 ? step : 400 - step
        return Place(
            latitude: Int64(group % 600) * 2_000_000 - 600_000_000 + Int64(member) * 180_000 + pace * 90 + 7,
            longitude: Int64(group / 600) * 10_000_000 + 1_234_567
        )
    }

    /// Writes the frame of one fix, with the fields that a phone has.
    mutating func write(sequence: Int64, place: Place, at: Int64) {
        self.bytes.removeAll(keepingCapacity: true)
        self.append(#"{"type":"location","seq":"#)
        self.append(sequence)
        self.append(#","lat":"#)
        self.append(degrees: place.latitude)
        self.append(#","lon":"#)
        self.append(degrees: place.longitude)
        self.append(#","accuracy":8,"at":"#)
        self.append(at)
        self.append(#","speed":1.4,"course":270,"battery":0.81,"trigger":"move"}"#)
    }

    private mutating func append(_ text: StaticString) {
        self.bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ number: Int64) { self.append(UInt64(number), minimumDigits: 1) }

    private mutating func append(degrees: Int64) {
        if degrees < 0 { self.bytes.append(UInt8(ascii: "-")) }
        self.append(degrees.magnitude / 10_000_000, minimumDigits: 1)
        self.bytes.append(UInt8(ascii: "."))
        self.append(degrees.magnitude % 10_000_000, minimumDigits: 7)
    }

    private mutating func append(_ number: UInt64, minimumDigits: Int) {
        let start = self.bytes.count
        var rest = number
        while rest > 0 || self.bytes.count - start < minimumDigits {
            self.bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self.bytes[start...].reverse()
    }
}

// A position is written once for every fix. Appended to an array field by field it would find room thirty times; here the
// room is made once.
//
// What is always inlined has the length of its text, or the number of its decimals, said where it is called: there a text
// becomes a few moves, and a division by a power of ten a multiplication.

/// Writes JSON into room that was reserved for it: nothing grows, and nothing is allocated.
struct JSONPen: ~Copyable {
    /// Room that is enough for any number.
    static let numberRoom = 40

    private let start: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>
    private var place: UnsafeMutablePointer<UInt8>

    /// Begins to write; the room must outlive the pen, and be enough for all that it writes.
    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = room.baseAddress else { preconditionFailure("there is no room at all") }
        self.start = start
        self.end = start + room.count
        self.place = start
    }

    /// What is written.
    var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self.start, count: self.place - self.start)
    }

    /// Writes characters as they are; the caller vouches that they fit the JSON around them.
    @inline(__always)
    mutating func write(_ text: StaticString) {
        self.advance(text.utf8CodeUnitCount).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Writes a short text as it is, without quotes; the caller vouches that nothing in it must be escaped.
    mutating func write(plain text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard let source = utf8.baseAddress else { return }
            self.advance(utf8.count).initialize(from: source, count: utf8.count)
        }
    }

    /// Writes a whole number.
    mutating func write(integer number: some FixedWidthInteger) {
        if number < 0 { self.write("-") }
        self.write(digits: UInt64(number.magnitude), atLeast: 1)
    }

    /// Writes digits, with zeros before them up to a number of places.
    mutating func write(digits number: UInt64, atLeast minimum: Int) {
        var places = 1
        var limit: UInt64 = 10
        // No 64-bit number has more than 20 digits.
        while number >= limit, places < 20 {
            places &+= 1
            limit &*= 10
        }
        places = max(places, minimum)
        var digit = self.advance(places) + places
        var rest = number
        // Two at a time: dividing is what takes the time.
        while places >= 2 {
            places &-= 2
            digit -= 2
            let next = rest / 100
            let pair = UInt32(truncatingIfNeeded: rest &- next &* 100)
            let tens = pair / 10
            digit[0] = UInt8(truncatingIfNeeded: 48 &+ tens)
            digit[1] = UInt8(truncatingIfNeeded: 48 &+ pair &- tens &* 10)
            rest = next
        }
        if places == 1 { digit[-1] = UInt8(truncatingIfNeeded: 48 &+ rest) }
    }

    /// Writes a number in as few digits as bring the same `Float` back; what JSON cannot say becomes `null`.
    mutating func write(number: Float) {
        if number.magnitude < 1e7, let whole = Int64(exactly: number) { return self.write(integer: whole) }
        guard number.isFinite else { return self.write("null") }
        // Of at most six digits no two decimals are the same `Float`: one that comes back is the shortest.
        if number.magnitude < 1e4 {
            let hundredths = (Double(number) * 100).rounded()
            if Float(hundredths / 100) == number {
                return self.write(scaled: Int64(hundredths), power: 100, decimals: 2)
            }
        }
        self.write(plain: number.description)
    }

    /// Writes a number in as few digits as bring the same `Double` back; what JSON cannot say becomes `null`.
    mutating func write(number: Double) {
        if number.magnitude < 1e15, let whole = Int64(exactly: number) { return self.write(integer: whole) }
        guard number.isFinite else { return self.write("null") }
        self.write(plain: number.description)
    }

    /// Writes a number rounded to `decimals` places, without needless zeros; what JSON cannot say becomes `null`.
    @inline(__always)
    mutating func write(number: Double, decimals: Int) {
        var power: Int64 = 1
        for _ in 0..<decimals { power *= 10 }
        // What is too large to be scaled has no decimals.
        guard let scaled = Int64(exactly: (number * Double(power)).rounded()) else {
            return self.write(number: number)
        }
        self.write(scaled: scaled, power: power, decimals: decimals)
    }

    /// Writes degrees to 7 places, which is about a centimetre and finer than any receiver.
    mutating func write(degrees: Double) { self.write(number: degrees, decimals: 7) }

    /// Writes `"lat":…,"lon":…`.
    mutating func write(latitude: Double, longitude: Double) {
        self.write(#""lat":"#)
        self.write(degrees: latitude)
        self.write(#","lon":"#)
        self.write(degrees: longitude)
    }

    /// Writes `scaled` / `power`, where `power` has as many zeros as there are `decimals`.
    @inline(__always)
    private mutating func write(scaled: Int64, power: Int64, decimals: Int) {
        if scaled < 0 { self.write("-") }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: power.magnitude)
        self.write(digits: whole, atLeast: 1)
        guard rest > 0 else { return }
        var fraction = rest
        var places = decimals
        while fraction.isMultiple(of: 10) {
            fraction /= 10
            places -= 1
        }
        self.write(".")
        self.write(digits: fraction, atLeast: places)
    }

    /// The room for the next bytes, which are taken as written.
    @inline(__always)
    private mutating func advance(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(count <= self.end - self.place, "more was written than there is room for")
        defer { self.place += count }
        return self.place
    }
}

extension [UInt8] {
    /// Makes an array of just the length of what `write` writes, at most `room` bytes.
    init(jsonWithin room: Int, by write: (inout JSONPen) -> Void) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { room in
            var pen = JSONPen(room)
            write(&pen)
            return Array(pen.text)
        }
    }

    /// Appends what `write` writes, at most `room` bytes.
    mutating func append(jsonWithin room: Int, by write: (inout JSONPen) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { room in
            var pen = JSONPen(room)
            write(&pen)
            self.append(contentsOf: pen.text)
        }
    }
}

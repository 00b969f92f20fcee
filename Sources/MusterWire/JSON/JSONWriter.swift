// A position is written once for every fix. Appending each field to an array would check its capacity thirty times.
// Here the capacity is reserved once.
//
// An always inlined function knows the length of its text, or the number of decimals, at the call site. There, writing
// a text becomes a few moves, and dividing by a power of ten becomes a multiplication.

/// A writer of JSON to a preallocated buffer.
///
/// It does not grow or allocate memory.
package struct JSONWriter: ~Copyable {
    /// A capacity that is sufficient for any number.
    package static let numberCapacity = 40

    private let start: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>
    private var place: UnsafeMutablePointer<UInt8>

    /// Creates a writer.
    ///
    /// The buffer must outlive it, and must be large enough for the whole output.
    package init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = room.baseAddress else { preconditionFailure("there is no room at all") }
        self.start = start
        self.end = start + room.count
        self.place = start
    }

    /// The written text.
    var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self.start, count: self.place - self.start)
    }

    /// Writes characters unchanged.
    ///
    /// The caller guarantees that the result is valid JSON.
    @inline(__always)
    package mutating func write(_ text: StaticString) {
        self.advance(text.utf8CodeUnitCount).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Writes a short text unchanged, without quotes.
    ///
    /// The caller guarantees that it needs no escapes.
    package mutating func write(plain text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard let source = utf8.baseAddress else { return }
            self.advance(utf8.count).initialize(from: source, count: utf8.count)
        }
    }

    /// Writes an integer.
    package mutating func write(integer number: some FixedWidthInteger) {
        if number < 0 { self.write("-") }
        self.write(digits: UInt64(number.magnitude), atLeast: 1)
    }

    /// Writes digits with leading zeros up to a minimum length.
    package mutating func write(digits number: UInt64, atLeast minimum: Int) {
        var places = 1
        var limit: UInt64 = 10
        // A 64-bit number has at most 20 digits.
        while number >= limit, places < 20 {
            places &+= 1
            limit &*= 10
        }
        places = max(places, minimum)
        var digit = self.advance(places) + places
        var rest = number
        // Two digits at a time, because divisions take most of the time.
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

    /// Writes a number with the fewest digits that give the same `Float`; infinity and NaN become `null`.
    package mutating func write(number: Float) {
        if number.magnitude < 1e7, let whole = Int64(exactly: number) { return self.write(integer: whole) }
        guard number.isFinite else { return self.write("null") }
        // No two decimals with at most six digits give the same `Float`, so a decimal that gives the number is the
        // shortest.
        if number.magnitude < 1e4 {
            let hundredths = (Double(number) * 100).rounded()
            if Float(hundredths / 100) == number {
                return self.write(scaled: Int64(hundredths), power: 100, decimals: 2)
            }
        }
        self.write(plain: number.description)
    }

    /// Writes a number with the fewest digits that give the same `Double`; infinity and NaN become `null`.
    package mutating func write(number: Double) {
        if number.magnitude < 1e15, let whole = Int64(exactly: number) { return self.write(integer: whole) }
        guard number.isFinite else { return self.write("null") }
        self.write(plain: number.description)
    }

    /// Writes a number rounded to `decimals` places, without trailing zeros; infinity and NaN become `null`.
    @inline(__always)
    package mutating func write(number: Double, decimals: Int) {
        var power: Int64 = 1
        for _ in 0..<decimals { power *= 10 }
        // A number that is too large to be scaled has no decimals.
        guard let scaled = Int64(exactly: (number * Double(power)).rounded()) else {
            return self.write(number: number)
        }
        self.write(scaled: scaled, power: power, decimals: decimals)
    }

    /// Writes degrees with 7 decimals, which is about a centimetre and finer than any receiver.
    package mutating func write(degrees: Double) { self.write(number: degrees, decimals: 7) }

    /// Writes `"lat":…,"lon":…`.
    package mutating func write(latitude: Double, longitude: Double) {
        self.write(#""lat":"#)
        self.write(degrees: latitude)
        self.write(#","lon":"#)
        self.write(degrees: longitude)
    }

    /// Writes `scaled` / `power`, where `power` is 10 to the power of `decimals`.
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

    /// Returns the space for the next bytes, and counts them as written.
    @inline(__always)
    private mutating func advance(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(count <= self.end - self.place, "more was written than there is room for")
        defer { self.place += count }
        return self.place
    }
}

extension [UInt8] {
    /// Creates an array with the exact length of the output of `write`, at most `room` bytes.
    package init(jsonWithin room: Int, by write: (inout JSONWriter) -> Void) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { room in
            var writer = JSONWriter(room)
            write(&writer)
            return Array(writer.text)
        }
    }

    /// Appends the output of `write`, at most `room` bytes.
    package mutating func append(jsonWithin room: Int, by write: (inout JSONWriter) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { room in
            var writer = JSONWriter(room)
            write(&writer)
            self.append(contentsOf: writer.text)
        }
    }
}

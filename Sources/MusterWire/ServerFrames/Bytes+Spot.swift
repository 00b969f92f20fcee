import MusterCore

extension [UInt8] {
    /// Appends a spot as one person sees it, and how far it is when somebody looks from somewhere.
    mutating func append(spot: Spot, distance: Double? = nil) {
        self.append(json: #"{"id":"#)
        self.append(id: spot.id)
        self.append(json: ",")
        self.append(latitude: spot.coordinate.latitude, longitude: spot.coordinate.longitude)
        self.append(json: #","comment":"#)
        self.append(string: spot.comment)
        self.append(json: #","category":"#)
        self.append(string: spot.category)
        self.append(json: #","photo":null,"author":"#)
        self.append(person: spot.author.id, name: spot.author.name)
        self.append(json: #","likes":"#)
        self.append(integer: spot.likes)
        self.append(json: #","dislikes":"#)
        self.append(integer: spot.dislikes)
        self.append(json: #","vote":"#)
        self.append(string: spot.vote.rawValue)
        self.append(json: #","at":"#)
        self.append(time: spot.at)
        self.append(json: #","link":""#)
        self.append(linkTo: spot)
        self.append(json: "\"")
        if let distance {
            self.append(json: #","distance":"#)
            self.append(number: distance, decimals: 1)
        }
        self.append(json: "}")
    }

    /// Appends a `geo:` address (RFC 5870), with the name as map apps take it: `geo:40.7,-74.0?q=40.7,-74.0(Blue%20Bottle)`.
    private mutating func append(linkTo spot: Spot) {
        self.append(json: "geo:")
        self.append(point: spot.coordinate)
        self.append(json: "?q=")
        self.append(point: spot.coordinate)
        self.append(json: "(")
        self.append(percentEncoding: spot.name)
        self.append(json: ")")
    }

    private mutating func append(point: Coordinate) {
        self.append(decimal: point.latitude)
        self.append(json: ",")
        self.append(decimal: point.longitude)
    }

    /// Appends degrees as the rest of the frame has them, but always with a decimal.
    private mutating func append(decimal degrees: Double) {
        let start = self.count
        self.append(degrees: degrees)
        if !self[start...].contains(UInt8(ascii: ".")) { self.append(json: ".0") }
    }

    /// Appends text as part of a URI: whatever is not unreserved (RFC 3986) as bytes in hexadecimal digits.
    private mutating func append(percentEncoding text: String) {
        for byte in text.utf8 {
            if byte.isUnreserved {
                self.append(byte)
            } else {
                self.append(UInt8(ascii: "%"))
                self.append(contentsOf: [byte >> 4, byte & 0xf].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 })
            }
        }
    }
}

extension UInt8 {
    /// Whether the character may stand for itself anywhere in a URI.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        case _: false
        }
    }
}

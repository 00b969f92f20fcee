// The positions in the links of common map services. A marker or a place takes precedence over the centre of the view.
//
//   OpenStreetMap   ?mlat=…&mlon=…   #map=zoom/lat/lon   osm.org/go/CODE, with ?m for a marker
//   Google          /data=…!3dlat!4dlon   ?q= ?query= ?ll= ?center= ?destination= …   /place/lat,lon   /@lat,lon,zoom
//   Apple           ?ll=   ?coordinate=   ?q=   ?center=
//   Bing            ?sp=point.lat_lon_name   ?where1=   ?cp=lat~lon
//   Waze            ?ll=   ?latlng=   ?to=ll.lat,lon
//   HERE            /l/lat,lon,name   ?map=lat,lon,zoom
//   Yandex          ?pt=lon,lat   ?ll=lon,lat

/// A link to a map service.
struct MapLink {
    private let host: Substring
    private let path: String
    private let fields: [String: String]
    private let fragment: String

    /// Finds the link in a text; nil when there is none.
    init?(in text: String) {
        let words = text.split(separator: " ")
        if let word = words.first(where: {
            $0.lowercased().hasPrefix("https://") || $0.lowercased().hasPrefix("http://")
        }) {
            // The link may be followed by punctuation.
            let end = word.lastIndex { !".,;!)>\"'".contains($0) }
            self.init(word[...(end ?? word.startIndex)].drop { $0 != "/" }.dropFirst(2))
        } else if words.count == 1, let slash = words[0].firstIndex(where: { "/?#".contains($0) }),
            words[0][..<slash].contains(where: { $0 == "." }), words[0][..<slash].contains(where: \.isLetter)
        {
            // The form in which phones display a link: `maps.apple.com/?ll=…`.
            self.init(words[0])
        } else {
            return nil
        }
    }

    private init(_ address: Substring) {
        let whole = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = (whole.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.first ?? ""
        let host = place.prefix { $0 != "/" && $0 != ":" }.lowercased()
        self.host = host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
        self.path = Self.decoded(place.drop { $0 != "/" })
        self.fields = parts.count > 1 ? Self.fields(parts[1]) : [:]
        self.fragment = whole.count > 1 ? Self.decoded(whole[1]) : ""
    }

    /// The position in the link; nil when there is none, or the service is unknown.
    var coordinate: Coordinate? {
        if self.isOf("openstreetmap.org", "osm.org", "openstreetmap.de", "openstreetmap.fr") {
            return self.openStreetMap
        }
        if self.isOf("maps.apple.com") { return self.first("ll", "coordinate", "q", "center", "daddr", "sll") }
        if self.isOf("waze.com") {
            return self.first("ll", "latlng") ?? self.fields["to"].flatMap { Self.pair($0, behind: "ll.") }
        }
        if self.isOf("here.com") { return self.segment(behind: "l") ?? self.first("map") }
        if self.isOf("bing.com"), self.path.hasPrefix("/maps") {
            return self.fields["sp"].flatMap { Self.pair($0, behind: "point.", separator: "_") } ?? self.first(
                "where1",
                "q"
            )
                ?? self.fields["cp"].flatMap { PositionText.pair($0, separator: "~") }
        }
        let labels = self.host.split(separator: ".")
        if labels.contains("google"), labels.first == "maps" || self.path.hasPrefix("/maps") { return self.google }
        if labels.contains("yandex"), labels.first == "maps" || self.path.hasPrefix("/maps") {
            // The longitude comes first; a style may follow the position.
            return self.swapped("pt") ?? self.swapped("whatshere[point]") ?? self.swapped("ll")
        }
        return nil
    }

    private var openStreetMap: Coordinate? {
        if let latitude = self.fields["mlat"], let longitude = self.fields["mlon"] {
            return PositionText.pair("\(latitude),\(longitude)")
        }
        if let code = Self.segment(of: self.path, behind: "go") { return Self.coordinate(ofCode: code) }
        for field in self.fragment.split(separator: "&") where field.hasPrefix("map=") {
            let parts = field.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 3 { return PositionText.pair("\(parts[1]),\(parts[2])") }
        }
        guard let latitude = self.fields["lat"], let longitude = self.fields["lon"] else { return nil }
        return PositionText.pair("\(latitude),\(longitude)")
    }

    private var google: Coordinate? {
        // The last of them is the place itself.
        if let latitude = self.path.ranges(of: "!3d").last {
            let rest = self.path[latitude.upperBound...]
            let end = rest.firstIndex(of: "!") ?? rest.endIndex
            if rest[end...].hasPrefix("!4d") {
                let longitude = rest[end...].dropFirst(3).prefix { $0 != "!" && $0 != "/" && $0 != "?" }
                if let found = PositionText.pair("\(rest[..<end]),\(longitude)") { return found }
            }
        }
        let names = ["q", "query", "ll", "center", "destination", "daddr", "viewpoint", "cbll", "sll"]
        for name in names {
            guard let text = self.fields[name] else { continue }
            let written = text.hasPrefix("loc:") ? text.dropFirst(4) : text[...]
            if let found = Self.written(written) { return found }
        }
        for name in ["place", "search", "dir"] {
            if let found = Self.segment(of: self.path, behind: name).flatMap(Self.written) { return found }
        }
        return self.path.split(separator: "/").first { $0.hasPrefix("@") }.flatMap { PositionText.pair($0.dropFirst()) }
    }

    /// A pair of coordinates that a user typed into a search field.
    private static func written(_ text: Substring) -> Coordinate? {
        PositionText.pair(text) ?? PositionPair.coordinate(in: String(text))
    }

    private func isOf(_ hosts: String...) -> Bool {
        hosts.contains { self.host == $0 || self.host.hasSuffix(".\($0)") }
    }

    private func first(_ names: String...) -> Coordinate? {
        names.lazy.compactMap { name in self.fields[name].flatMap { PositionText.pair($0) } }.first
    }

    private func swapped(_ name: String) -> Coordinate? {
        let numbers = (self.fields[name] ?? "").prefix { $0 != "~" }.split(separator: ",")
        return numbers.count >= 2 ? PositionText.pair("\(numbers[1]),\(numbers[0])") : nil
    }

    /// The pair in the path segment after the one with this name.
    private func segment(behind name: String) -> Coordinate? {
        Self.segment(of: self.path, behind: name).flatMap { PositionText.pair($0) }
    }

    private static func segment(of path: String, behind name: String) -> Substring? {
        let segments = path.split(separator: "/")
        return segments.firstIndex { $0 == name }.flatMap { $0 + 1 < segments.count ? segments[$0 + 1] : nil }
    }

    private static func pair(_ text: String, behind start: String, separator: Character = ",") -> Coordinate? {
        text.hasPrefix(start) ? PositionText.pair(text.dropFirst(start.count), separator: separator) : nil
    }

    /// The decoded fields of a query; the first of each name counts.
    static func fields(_ query: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0]).lowercased()
            if parts.count == 2, fields[name] == nil { fields[name] = Self.decoded(parts[1]) }
        }
        return fields
    }

    /// A text with percent escapes decoded; a plus becomes a blank.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The centre of the view of an OpenStreetMap short link.
    ///
    /// Each character has six bits, alternating between longitude and latitude, most significant first. A `-` at the
    /// end only changes the zoom.
    private static func coordinate(ofCode code: Substring) -> Coordinate? {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~")
        var (x, y, depth): (UInt64, UInt64, Double) = (0, 0, 0)
        for character in code where character != "-" && character != "=" {
            // `@` was formerly used for `~`.
            guard let value = letters.firstIndex(of: character == "@" ? "~" : character), depth < 30 else { return nil }
            for bit in [5, 3, 1] {
                x = x << 1 | UInt64(value >> bit & 1)
                y = y << 1 | UInt64(value >> (bit - 1) & 1)
            }
            depth += 3
        }
        guard depth >= 9 else { return nil }
        let scale = Double(UInt64(1) << UInt64(depth))
        return Coordinate(
            validating: (Double(y) + 0.5) / scale * 180 - 90,
            (Double(x) + 0.5) / scale * 360 - 180
        )
    }
}

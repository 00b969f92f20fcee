import MusterCore
import MusterWire
import Postgres

/// Encodes places as rows of two COPYs, and sends them a few megabytes at a time.
///
/// Memory use is limited to these rows, plus eight bytes per place for detecting repeated ids.
struct PlaceWriter: ~Copyable {
    /// The number of places whose names are converted to keys together.
    private static let batch = 2_000
    /// The size of the rows that are sent together, in bytes.
    private static let flushSize = 8 << 20
    /// The maximum length of a key.
    private static let longestKey = 200

    private let session: PostgresSession
    private let source: String
    private let partition: Int32
    private var waiting: [PlaceRecord] = []
    private var places = CopyWriter(columnCount: 17)
    private var names = CopyWriter(columnCount: 5)
    private(set) var rows = 0
    private(set) var nameCount = 0
    private var reach = PlaceReach()
    /// Hashes of the ids written so far, and for each repeated id the number of its occurrences.
    private var ids: Set<Int> = []
    private var repeats: [String: Int] = [:]

    /// Writes to the tables of a partition, in the open transaction.
    init(_ session: PostgresSession, source: String, partition: Int32) {
        self.session = session
        self.source = source
        self.partition = partition
    }

    /// The bounding box of all places.
    var extent: Place.Extent { self.reach.extent ?? Place.Extent(west: 0, south: 0, east: 0, north: 0) }

    /// Adds a place.
    ///
    /// - Returns: whether an earlier place had the same id, so that this one got a different id.
    @discardableResult
    mutating func add(_ record: PlaceRecord) throws(PostgresError) -> Bool {
        var record = record
        let isRepeated = !self.ids.insert(record.id.hashValue).inserted
        if isRepeated { record.id = self.freeID(like: record.id) }
        self.waiting.append(record)
        if self.waiting.count >= Self.batch { try self.encode() }
        return isRepeated
    }

    /// An unused id: `x:7~2` for the second place with the id `x:7`.
    private mutating func freeID(like id: String) -> String {
        while true {
            let number = self.repeats[id, default: 1] + 1
            self.repeats[id] = number
            let ending = "~\(number)"
            let kept = id.unicodeScalars.prefix(Place.idLength.upperBound - ending.count)
            let free = String(String.UnicodeScalarView(kept)) + ending
            if self.ids.insert(free.hashValue).inserted { return free }
        }
    }

    /// Sends the remaining rows.
    mutating func finish() throws(PostgresError) {
        try self.encode()
        try self.flush()
    }

    private mutating func encode() throws(PostgresError) {
        // Some thousand places take longer to encode than to send.
        try self.session.checkInterrupt()
        var texts: [String] = []
        var owners: [(record: Int, isOwn: Bool)] = []
        for (number, record) in self.waiting.enumerated() {
            let own = [record.name] + record.ownNames
            for name in own + own.compactMap(PlaceKey.writtenOut) {
                texts.append(name)
                owners.append((number, true))
            }
            // Three capital letters are an abbreviation only for areas: USA, NSW.
            let other = record.otherNames.filter { name in
                !name.contains("://") && (record.type.isArea || !PlaceWords.isAirportCode(name))
            }
            for name in other + other.compactMap(PlaceKey.writtenOut) {
                texts.append(name)
                owners.append((number, false))
            }
        }
        let keys = PlaceKey.keys(texts)
        var next = 0
        for (number, record) in self.waiting.enumerated() {
            var seen: Set<String> = []
            while next < keys.count, owners[next].record == number {
                let key = keys[next]
                let isOwn = owners[next].isOwn
                next += 1
                guard !key.isEmpty, key.utf8.count <= Self.longestKey, seen.insert(key).inserted else { continue }
                self.appendName(key, isOwn: isOwn, of: record)
            }
            self.append(record)
        }
        self.waiting.removeAll(keepingCapacity: true)
        if self.places.byteCount + self.names.byteCount >= Self.flushSize { try self.flush() }
    }

    private mutating func flush() throws(PostgresError) {
        if self.places.rowCount > 0 {
            try self.session.copyIn(
                """
                COPY muster.place_\(self.partition) (source, id, name, type, category, lat, lon, place, extent, country, state,
                parent, country_code, population, importance, timezone, tags) FROM STDIN (FORMAT binary)
                """,
                rows: self.places
            )
        }
        if self.names.rowCount > 0 {
            try self.session.copyIn(
                """
                COPY muster.place_name_\(self.partition) (source, place, key, own, importance)
                FROM STDIN (FORMAT binary)
                """,
                rows: self.names
            )
        }
        self.places.removeAll()
        self.names.removeAll()
    }

    private mutating func appendName(_ key: String, isOwn: Bool, of record: PlaceRecord) {
        self.nameCount += 1
        self.names.beginRow()
        self.names.append(self.source)
        self.names.append(record.id)
        self.names.append(key)
        self.names.append(isOwn)
        self.names.append(Float(record.importance))
    }

    private mutating func append(_ record: PlaceRecord) {
        self.rows += 1
        let point = record.coordinate
        self.reach.add(point)
        self.places.beginRow()
        self.places.append(self.source)
        self.places.append(record.id)
        self.places.append(record.name)
        self.places.append(record.type.rawValue)
        self.places.append(record.category?.rawValue)
        self.places.append(point.latitude)
        self.places.append(point.longitude)
        self.places.append(Self.geometry(record))
        if let extent = record.extent {
            self.places.append(Self.array([extent.west, extent.south, extent.east, extent.north]))
        } else {
            self.places.appendNull()
        }
        self.places.append(record.country)
        self.places.append(record.state)
        self.places.append(record.parent)
        self.places.append(record.countryCode)
        self.places.append(record.population)
        self.places.append(Float(record.importance))
        self.places.append(record.timezone)
        if let tags = record.tags { self.places.append(jsonb: Self.json(tags)) } else { self.places.appendNull() }
    }

    /// The PostGIS EWKB form: byte order, type with the SRID flag, SRID, and points.
    private static func geometry(_ record: PlaceRecord) -> [UInt8] {
        var bytes: [UInt8] = [1]
        func append(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        func append(_ point: Coordinate) {
            for value in [point.longitude, point.latitude] {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        switch record.shape {
        case .point:
            append(0x2000_0001)
            append(4326)
            append(record.coordinate)
        case .line(let points):
            append(0x2000_0002)
            append(4326)
            append(UInt32(points.count))
            for point in points { append(point) }
        }
        return bytes
    }

    /// The binary form of a one-dimensional `double precision[]`.
    private static func array(_ values: [Double]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: Int32) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
        for value in [1, 0, 701, Int32(values.count), 1] { append(value) }
        for value in values {
            append(8)
            withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private static func json(_ tags: [String: String]) -> String {
        var json: [UInt8] = Array("{".utf8)
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) where !(key + value).utf8.contains(0) {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json.append(string: key)
            json.append(UInt8(ascii: ":"))
            json.append(string: value)
        }
        json.append(UInt8(ascii: "}"))
        return String(decoding: json, as: UTF8.self)
    }
}

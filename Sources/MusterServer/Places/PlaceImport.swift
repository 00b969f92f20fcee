package import MusterCore
package import Postgres

// Each file is one transaction. Two tables are created, filled by COPY while the file is read, indexed, and attached in
// place of the source's old partitions (`muster.finish_gazetteer`). Until the commit all readers use the old
// partitions, and an error leaves them unchanged. Concurrent imports run one after the other.

/// An import of a file of places.
///
/// Confined to one thread; blocks.
package struct PlaceImport {
    /// The progress of an import.
    package enum Progress: Sendable {
        /// The number of places read so far, and the share of the file, when known.
        case read(places: Int, share: Double?)
        /// All places were read; indexes are being created.
        case indexing(places: Int)
    }

    /// The result of an import.
    package struct Report: Sendable {
        /// The name of the source.
        package let source: String
        /// The number of places.
        package let places: Int
        package let names: Int
        /// The number of damaged rows, which were skipped.
        package let badRows: Int
        /// The line numbers of the first damaged rows; for an `.osm.pbf` the feature numbers.
        package let firstBadRows: [Int]
        /// The number of features without a position, which were skipped.
        package let unlocated: Int
        /// The number of places with the id of an earlier one, which were given a different id.
        package let repeatedIDs: Int
        package let firstRepeatedIDs: [Int]
    }

    /// The maximum number of row numbers in the report.
    private static let namedRows = 20
    /// The key of the advisory lock that serialises imports.
    private static let lock: Int64 = 0x6d75_7374_706c_6163
    /// Filling and indexing the whole world takes minutes.
    private static let timeout = Duration.seconds(4 * 3600)

    private let file: PlaceFile
    private let session: PostgresSession
    private let progress: (Progress) -> Void
    private var areas: AreaTable
    /// The current line; for an `.osm.pbf` the current feature number.
    private var line = 0
    /// The number of lines or features that should contain a place.
    private var rows = 0
    private var badRows = 0
    private var firstBadRows: [Int] = []
    /// The problem with the first damaged row.
    private var firstProblem = ""
    private var unlocated = 0
    private var repeatedIDs = 0
    private var firstRepeatedIDs: [Int] = []

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - file: the file to read.
    ///   - session: a connected session that is not used otherwise.
    ///   - folders: the folders to search for tables of countries and states.
    ///   - progress: called from time to time with the progress.
    package init(
        _ file: PlaceFile,
        into session: PostgresSession,
        folders: [String],
        progress: @escaping (Progress) -> Void = { _ in }
    ) {
        self.file = file
        self.session = session
        self.progress = progress
        self.areas = AreaTable(folders: folders)
    }

    /// Imports the file.
    ///
    /// - Throws: the reason of a failure; the database is unchanged then.
    package mutating func run(at now: Timestamp) throws(PlaceImportError) -> Report {
        do throws(PlaceImportError) {
            let report = try self.fill(at: now)
            try self.asking { (session) throws(PostgresError) in
                _ = try session.execute("COMMIT", timeout: Self.timeout)
            }
            return report
        } catch {
            if self.session.isInTransaction { _ = try? self.session.execute("ROLLBACK") }
            throw error
        }
    }

    private mutating func fill(at now: Timestamp) throws(PlaceImportError) -> Report {
        let source = self.file.source
        let partition = try self.asking { (session) throws(PostgresError) -> Int32 in
            try session.execute("BEGIN")
            try session.execute(
                "SELECT pg_advisory_xact_lock($1)::text AS locked",
                [.int64(Self.lock)],
                timeout: Self.timeout
            )
            try session.execute("SELECT set_config('maintenance_work_mem', '256MB', true) AS memory")
            let made = try session.execute("SELECT muster.begin_gazetteer($1) AS partition", [.text(source)])
            return try made.first?.int32("partition") ?? 0
        }
        var writer = PlaceWriter(self.session, source: source, partition: partition)
        switch self.file.format {
        case .geoNames: try self.readGeoNames(into: &writer)
        case .openStreetMap, .geoJSON: try self.readFeatures(into: &writer)
        }
        guard self.badRows * 100 <= self.rows else {
            let lines = self.firstBadRows.map(String.init).joined(separator: ", ")
            let more = self.badRows > self.firstBadRows.count ? ", …" : ""
            let name = self.file.rowName
            throw PlaceImportError(
                .badRows,
                "'\(self.file.path)': \(self.badRows) of \(self.rows) rows are damaged, in \(name)\(self.badRows > 1 ? "s" : "")"
                    + " \(lines)\(more); \(name) \(self.firstBadRows[0]) \(self.firstProblem); nothing was imported"
            )
        }
        guard writer.rows > 0 else {
            var text = "'\(self.file.path)' contains no place in \(self.rows) rows"
            if self.unlocated > 0 { text += ", \(self.unlocated) of which have no position" }
            throw PlaceImportError(.badRows, "\(text): \(self.file.wanted); nothing was imported")
        }
        self.progress(.indexing(places: writer.rows))
        let extent = writer.extent
        let (file, written) = (self.file, (places: Int64(writer.rows), names: Int64(writer.nameCount)))
        let (places, names) = try self.asking { (session) throws(PostgresError) in
            let finished = try session.execute(
                "SELECT yielded_places, yielded_names FROM muster.finish_gazetteer($1, $2, $3)",
                [.int32(partition), .text(source), .bool(file.yields)],
                timeout: Self.timeout
            )
            let places = try written.places - (finished.first?.int64("yielded_places") ?? 0)
            let names = try written.names - (finished.first?.int64("yielded_names") ?? 0)
            try session.execute(
                """
                INSERT INTO muster.gazetteer (source, partition, licence, attribution, imported_at, rows, names, extent,
                    key_version)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                """,
                [
                    .text(source), .int32(partition), .text(file.licence), .text(file.attribution), .timestamptz(now),
                    .int64(places), .int64(names),
                    .float8Array([extent.west, extent.south, extent.east, extent.north]), .int32(PlaceKey.version),
                ]
            )
            return (places, names)
        }
        return Report(
            source: source,
            places: Int(places),
            names: Int(names),
            badRows: self.badRows,
            firstBadRows: self.firstBadRows,
            unlocated: self.unlocated,
            repeatedIDs: self.repeatedIDs,
            firstRepeatedIDs: self.firstRepeatedIDs
        )
    }

    // MARK: - Reading

    private mutating func readGeoNames(into writer: inout PlaceWriter) throws(PlaceImportError) {
        let bytes = try self.file.open()
        var splitter = LineSplitter()
        while let piece = try bytes.next() {
            try splitter.consume(piece[...]) { (line) throws(PlaceImportError) in try self.read(line, into: &writer) }
            self.progress(.read(places: writer.rows, share: bytes.share))
        }
        try splitter.end { (line) throws(PlaceImportError) in try self.read(line, into: &writer) }
        for area in self.areas.records() { try self.add(area, to: &writer) }
        try self.finish(&writer)
    }

    private mutating func read(_ line: ArraySlice<UInt8>, into writer: inout PlaceWriter) throws(PlaceImportError) {
        self.line += 1
        guard !line.isEmpty, line.first != UInt8(ascii: "#") else { return }
        self.rows += 1
        guard let row = GeoNamesRow(line) else { return self.noteBadRow(GeoNamesRow.problem(of: line)) }
        guard let type = row.type else { return }
        if type.isArea { return self.areas.note(row, as: type) }
        if type == .city { self.areas.note(row) }
        var record = PlaceRecord(
            id: "gn:\(row.number)",
            name: row.name,
            type: type,
            coordinate: row.coordinate,
            importance: PlaceImportance.of(
                type,
                people: row.population,
                seat: row.seat,
                fame: PlaceImportance.fame(tags: [:])
            )
        )
        let state = self.areas.state(row.country, row.state)
        let country = self.areas.country(row.country)
        record.ownNames = [row.asciiName]
        record.otherNames = row.alternateNames
        record.country = country?.id
        record.state = state?.id
        record.parent = state?.id ?? country?.id
        record.countryCode = row.country.isEmpty ? nil : row.country
        record.population = row.population
        record.timezone = row.timezone
        try self.add(record, to: &writer)
    }

    private mutating func readFeatures(into writer: inout PlaceWriter) throws(PlaceImportError) {
        let source = self.file.source
        let cities = try self.asking { (session) throws(PostgresError) in
            try NearestCities(session, besides: source)
        }
        let reader = FeatureRecord(idPrefix: self.file.format == .openStreetMap ? nil : "\(source.prefix(40)):")
        let bytes = try self.file.open()
        var splitter = FeatureSplitter()
        while let piece = try bytes.next() {
            try splitter.consume(piece) { (feature, line) throws(PlaceImportError) in
                self.rows += 1
                self.line = self.file.format == .openStreetMap ? self.rows : line
                switch reader.read(feature, number: self.rows) {
                case .damaged(let problem): self.noteBadRow(problem)
                case .nothing: break
                case .unlocated: self.unlocated += 1
                case .place(var record):
                    if let city = cities.city(near: record.coordinate) {
                        record.country = city.country
                        record.state = city.state
                        record.countryCode = city.countryCode
                        record.parent = record.type == .city ? city.state ?? city.country : city.id
                    }
                    try self.add(record, to: &writer)
                }
            }
            self.progress(.read(places: writer.rows, share: bytes.share))
        }
        guard splitter.isComplete else {
            throw PlaceImportError(
                .unreadable,
                "'\(self.file.path)' is truncated or not GeoJSON: its brackets do not match at line \(splitter.line);"
                    + " nothing was imported"
            )
        }
        try self.finish(&writer)
    }

    private mutating func noteBadRow(_ problem: String) {
        if self.badRows == 0 { self.firstProblem = problem }
        self.badRows += 1
        if self.firstBadRows.count < Self.namedRows { self.firstBadRows.append(self.line) }
    }

    private mutating func add(_ record: PlaceRecord, to writer: inout PlaceWriter) throws(PlaceImportError) {
        do throws(PostgresError) {
            guard try writer.add(record) else { return }
        } catch {
            throw PlaceImportError(error)
        }
        self.repeatedIDs += 1
        if self.firstRepeatedIDs.count < Self.namedRows { self.firstRepeatedIDs.append(self.line) }
    }

    private func finish(_ writer: inout PlaceWriter) throws(PlaceImportError) {
        do throws(PostgresError) { try writer.finish() } catch { throw PlaceImportError(error) }
    }

    private func asking<Value>(
        _ body: (PostgresSession) throws(PostgresError) -> Value
    ) throws(PlaceImportError) -> Value {
        do throws(PostgresError) { return try body(self.session) } catch { throw PlaceImportError(error) }
    }
}

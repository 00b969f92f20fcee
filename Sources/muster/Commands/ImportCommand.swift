import EventLoop
import Foundation
import MusterCommands
import MusterCore
import MusterServer
import Postgres

/// `muster import`: imports places into the database, and extracts into the map.
enum ImportCommand: Command {
    static let name = "import"
    static let summary = "Import places that users can look up by name, or the map of streets."
    static let usage = "places FILE… | map FILE | map --list | map --remove NAME [options]"
    static let discussion = """
        import map: makes the tiles of an OpenStreetMap extract (.osm.pbf), which becomes a part of the map and replaces
        an earlier part of the same name. It needs osmium-tool, PostgreSQL with PostGIS on this machine, and free space
        of 12 times the extract in the data folder. A .pmtiles file of tilemaker 3 or Planetiler with the layers of
        Shortbread 1.0 is checked and copied. A running server shows the new map within 10 s, or at once after SIGHUP.

        import places: the file name gives the format:

          cities500.txt, BR.zip      GeoNames dumps
          Helsinki.osm.pbf           an OpenStreetMap extract with towns, streets, houses and points of interest;
                                     needs osmium-tool
          spots.geojson, .geojsonl   features with a name; also .geojsonseq, .json

        Each file becomes a gazetteer, which replaces an earlier file of the same name. If two files of one format
        contain the same place, the file imported last wins. An import is atomic: if it fails, the earlier places stay.
        A file with more than 1 % damaged rows is refused. Features without a position are skipped and counted. Places
        with a repeated id get new ids. A server may run during each import.

        Names of countries and states come from the GeoNames files countryInfo.txt and admin1Codes.txt beside the file,
        or else from libtimezonemap-data.
        """
    static let options = [
        Option("name", .one("NAME"), help: "map: the name of the part [that of the file]"),
        Option("memory", .one("MB"), default: "256", help: "map: the memory for making tiles, in megabytes"),
        Option("list", help: "map: list the parts"),
        Option("remove", .one("NAME"), help: "map: remove a part"),
        Option("licence", .one("TEXT"), help: "the licence of the places in .geojson files"),
        Option("attribution", .one("TEXT"), help: "the attribution shown with these places [the file's name]"),
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL instead of a private one (also: DATABASE_URL)"
        ),
        Option(
            "data-dir",
            .one("DIR"),
            default: ".muster",
            help: "the folder of the private PostgreSQL and of the map"
        ),
        Option("sql-dir", .one("DIR"), help: "the folder of the SQL files [sql, here or beside the program]"),
        Option(
            "places-dir",
            .one("DIR"),
            default: AreaTable.installedFolder,
            help: "the folder of the GeoNames tables of countries and states"
        ),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard let kind = values.operands.first, ["places", "map"].contains(kind) else {
            throw UsageError(
                "the first argument must be places or map: muster import places FILE…, muster import map FILE"
            )
        }
        if kind == "map" { return try await MapCommand.run(values) }
        for option in ["name", "list", "remove"] where values.isGiven(option) {
            throw UsageError("--\(option) is an option of muster import map")
        }
        let paths = values.operands.dropFirst()
        guard !paths.isEmpty else { throw UsageError("FILE is required: muster import places FILE…") }
        let sql = try values.sqlFolder()
        var files: [PlaceFile] = []
        for path in paths {
            var file: PlaceFile
            do throws(PlaceImportError) { file = try PlaceFile(path: path) } catch { throw UsageError(error.message) }
            if file.format == .geoJSON {
                file.licence = values.text("licence") ?? file.licence
                file.attribution = values.text("attribution") ?? file.attribution
            }
            files.append(file)
        }
        let (wanted, installed, database) = (files, values.text("places-dir") ?? "", values.database)
        try await BlockingWork.run(named: "import") { () throws in
            try database.withConnection { connectionString in
                let session = PostgresSession(connectionString: connectionString, timeout: .seconds(600))
                try session.connect(timeout: .seconds(30))
                defer { session.close() }
                try Migrator(directory: "\(sql)/migrations").migrate(session)
                for file in wanted { try self.importPlaces(file, installed, session) }
            }
        }
        return 0
    }

    private static func importPlaces(_ file: PlaceFile, _ installed: String, _ session: PostgresSession) throws {
        let line = ImportProgress(file.path)
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        var work = PlaceImport(file, into: session, folders: [folder, installed]) { line.show($0) }
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let report: PlaceImport.Report
        do {
            defer { line.end() }
            report = try work.run(at: now)
        }
        var text = "\(report.source): \(report.places) places with \(report.names) names"
        if report.badRows > 0 {
            text +=
                "; \(report.badRows) damaged rows skipped (\(file.rowName)s \(self.list(report.firstBadRows, of: report.badRows)))"
        }
        if report.unlocated > 0 { text += "; \(report.unlocated) features without a position skipped" }
        if report.repeatedIDs > 0 {
            let lines = self.list(report.firstRepeatedIDs, of: report.repeatedIDs)
            text +=
                "; \(report.repeatedIDs) places with a repeated id were given new ids (\(file.rowName)s \(lines))"
        }
        print(text)
    }

    /// Line numbers as a list, with an ellipsis when there are more.
    private static func list(_ lines: [Int], of count: Int) -> String {
        lines.map(String.init).joined(separator: ", ") + (count > lines.count ? ", …" : "")
    }
}

/// The progress of an import on one line of standard error, only on a terminal.
private final class ImportProgress {
    private let name: String
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ path: String) { self.name = URL(fileURLWithPath: path).lastPathComponent }

    func show(_ progress: PlaceImport.Progress) {
        switch progress {
        case .read(let places, let share):
            self.write("\(self.name): \(share.map { "\(Int($0 * 100)) %, " } ?? "")\(places) places")
        case .indexing(let places): self.write("\(self.name): indexing \(places) places")
        }
    }

    func end() { self.write("") }

    private func write(_ text: String) {
        guard self.isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}

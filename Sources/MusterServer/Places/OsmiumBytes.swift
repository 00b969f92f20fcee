import Foundation

/// The output of `osmium export` for a file.
final class OsmiumBytes: ByteSource {
    private let program: ProgramBytes
    private let configuration: URL
    private let file: String

    /// Starts osmium with a file and a configuration file, which is deleted at the end.
    init(file: String, configuration: URL) throws(PlaceImportError) {
        self.file = file
        self.configuration = configuration
        do throws(PlaceImportError) {
            self.program = try ProgramBytes(
                "osmium",
                [
                    "export", "--no-progress", "--input-format=pbf", "--output-format=geojsonseq",
                    "--format-option=print_record_separator=false",
                    "--add-unique-id=type_id", "--config=\(configuration.path)", "--output=-", file,
                ]
            )
        } catch {
            try? FileManager.default.removeItem(at: configuration)
            throw error
        }
    }

    deinit { try? FileManager.default.removeItem(at: self.configuration) }

    var share: Double? { nil }

    func next() throws(PlaceImportError) -> [UInt8]? {
        do throws(ProgramFailure) {
            return try self.program.next()
        } catch {
            throw PlaceImportError(.unreadable, Self.explanation(of: error, file: self.file))
        }
    }

    /// The reason for osmium's failure, with a remedy.
    static func explanation(of failure: ProgramFailure, file: String) -> String {
        if failure.isMissing {
            return "'\(file)' needs osmium, which is not installed: apt-get install osmium-tool"
        }
        guard let line = failure.complaints.first else {
            return "osmium could not read '\(file)' and gave no reason"
        }
        let cause = line.hasSuffix(".") ? line.dropLast() : line[...]
        let whole = failure.complaints.joined(separator: " ")
        let stem = file.hasSuffix(".osm.pbf") ? String(file.dropLast(8)) : file
        if whole.contains("twice in input") {
            return
                "'\(file)' contains several versions of an object (osmium: \(cause)). Extract the latest state and import that:"
                + " osmium time-filter \(file) -o \(stem)-now.osm.pbf"
        }
        if whole.contains("to be ordered") || whole.contains("out of order") {
            return "'\(file)' is not sorted (osmium: \(cause)). Sort it, and import the result:"
                + " osmium sort \(file) -o \(stem)-sorted.osm.pbf"
        }
        if whole.contains("No space left") {
            return "there is no space left for reading '\(file)': free space, or choose another --data-dir"
        }
        if whole.contains("PBF error") {
            return
                "'\(file)' is damaged or truncated (osmium: \(cause)). Download it again; osmium fileinfo -e \(file) checks"
                + " that it is complete"
        }
        return "osmium could not read '\(file)': \(whole)"
    }
}

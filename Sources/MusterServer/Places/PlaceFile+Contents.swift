import Foundation
import MusterCore

// Files sometimes do not match their names: an archive, an error page in HTML, a UTF-16 text from a spreadsheet. The
// first bytes reveal the actual format, so the error can suggest a remedy.

extension PlaceFile {
    /// The word for a row in messages; the features of an `.osm.pbf` have no lines.
    package var rowName: String { self.format == .openStreetMap ? "feature" : "line" }

    /// The required contents of a file of this format.
    var wanted: String {
        switch self.format {
        case .geoNames: "a GeoNames dump has one place per line, in 19 fields separated by tabs"
        case .openStreetMap: "it needs named towns, streets or businesses, or houses with a number and a street"
        case .geoJSON: "its features need a property `name` and a position"
        }
    }

    /// The actual format of a file by its first bytes.
    private enum Contents {
        case utf16, gzip, bzip2, zip, pbf, json, webPage, xml, other

        init(_ bytes: [UInt8]) {
            let text = bytes.starts(with: FileText.mark) ? bytes.dropFirst(FileText.mark.count) : bytes[...]
            let start = text.drop { [0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
            let letters = String(decoding: start.prefix(15), as: UTF8.self).lowercased()
            if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                self = .utf16
            } else if bytes.starts(with: [0x1F, 0x8B]) {
                self = .gzip
            } else if bytes.starts(with: "BZh".utf8) {
                self = .bzip2
            } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
                self = .zip
            } else if bytes.dropFirst(4).starts(with: [0x0A, 0x09] + Array("OSMHeader".utf8)) {
                self = .pbf
            } else if bytes.count > 3, bytes[0] == 0 || bytes[1] == 0 {
                // A Latin letter in UTF-16 without a byte order mark.
                self = .utf16
            } else if letters.hasPrefix("{") || letters.hasPrefix("[") {
                self = .json
            } else if letters.hasPrefix("<!doctype html") || letters.hasPrefix("<html") {
                self = .webPage
            } else if letters.hasPrefix("<") {
                self = .xml
            } else {
                self = .other
            }
        }
    }

    /// Checks that the first bytes match the format of the name.
    ///
    /// - Throws: the actual format, and a remedy.
    func checkContents() throws(PlaceImportError) {
        let target = URL(fileURLWithPath: self.path).resolvingSymlinksInPath().path
        let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
        guard type != .typeDirectory else {
            throw PlaceImportError(.unreadable, "'\(self.path)' is a folder: give the files in it")
        }
        // A pipe can only be read once.
        guard type == nil || type == .typeRegular else { return }
        guard let bytes = try FileBytes(path: self.path).read(64) else {
            throw PlaceImportError(.unreadable, "'\(self.path)' is empty: download or export it again")
        }
        if let complaint = self.complaint(of: Contents(bytes)) {
            throw PlaceImportError(.unreadable, "'\(self.path)' \(complaint)")
        }
    }

    /// The problem with these contents under this name; nil when they may be valid.
    private func complaint(of contents: Contents) -> String? {
        let isText = self.format == .geoJSON || self.format == .geoNames(isZipped: false)
        switch contents {
        case .zip where self.format == .geoNames(isZipped: true), .pbf where self.format == .openStreetMap,
            .json where self.format == .geoJSON:
            return nil
        case .utf16 where isText:
            return
                "is UTF-16 and must be UTF-8: iconv -f UTF-16 -t UTF-8 < \(self.path) > other-file"
        case .gzip: return "is compressed by gzip; unpack it first: gunzip < \(self.path) > other-file"
        case .bzip2: return "is compressed by bzip2; unpack it first: bunzip2 < \(self.path) > other-file"
        case .zip: return "is a ZIP file: unpack it, or rename it to .zip if it is from GeoNames"
        case .pbf: return "is an OpenStreetMap extract: rename it to .osm.pbf"
        case .json: return "is JSON: rename it to .geojson if it is GeoJSON"
        case .webPage: return "is a web page, not data: download the file itself"
        case .xml:
            return "is XML; convert OpenStreetMap XML to PBF: osmium cat -F osm \(self.path) -o other-file.osm.pbf"
        case .utf16, .other:
            switch self.format {
            case .geoNames(false): return nil
            case .geoNames(true): return "is not a ZIP file: rename it to .txt if it is an uncompressed GeoNames dump"
            case .openStreetMap: return "is not an OpenStreetMap PBF file: it is truncated or of another format"
            case .geoJSON: return "is not GeoJSON, which begins with '{'; a GeoNames dump must be named .txt"
            }
        }
    }

    /// The error for a file name with an unsupported extension.
    static func complaint(of path: String, named name: String) -> String {
        let kinds = "the supported formats are .txt and .zip of GeoNames, .osm.pbf, .geojson and .geojsonl"
        if name.hasSuffix(".osm") || name.contains(".osm.") || name.hasSuffix(".o5m") {
            return "'\(path)' has an unsupported format; convert it to PBF: osmium cat \(path) -o other-file.osm.pbf"
        }
        if name.hasSuffix(".gz") || name.hasSuffix(".bz2") || name.hasSuffix(".xz") {
            return "'\(path)' is compressed: unpack it first; \(kinds)"
        }
        return "'\(path)' has an unknown file name extension: \(kinds)"
    }
}

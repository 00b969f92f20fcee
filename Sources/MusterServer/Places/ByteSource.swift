import Foundation

/// A source of bytes in chunks.
protocol ByteSource: AnyObject {
    /// Returns the next chunk; nil after the last one.
    func next() throws(PlaceImportError) -> [UInt8]?

    /// The share that was read, from 0 to 1; nil when unknown.
    var share: Double? { get }
}

/// The bytes of a file.
final class FileBytes: ByteSource {
    /// The size of a chunk in bytes.
    static let pieceSize = 1 << 18

    private let handle: FileHandle
    private let size: Int
    private var position = 0

    /// Opens a file.
    init(path: String) throws(PlaceImportError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw PlaceImportError(
                .unreadable,
                "cannot read '\(path)': " + (isThere ? "its permissions do not allow it" : "there is no such file")
            )
        }
        self.handle = handle
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        self.size = (attributes?[.size] as? Int) ?? 0
    }

    deinit { try? self.handle.close() }

    /// The size of the file in bytes.
    var count: Int { self.size }

    var share: Double? { self.size > 0 ? min(1, Double(self.position) / Double(self.size)) : nil }

    func next() throws(PlaceImportError) -> [UInt8]? { try self.read(Self.pieceSize) }

    /// Reads up to `count` bytes; nil at the end of the file.
    func read(_ count: Int) throws(PlaceImportError) -> [UInt8]? {
        do {
            guard let data = try self.handle.read(upToCount: count), !data.isEmpty else { return nil }
            self.position += data.count
            return Array(data)
        } catch {
            throw PlaceImportError(.unreadable, "reading failed: \(error)")
        }
    }

    /// Moves to a position in the file.
    func seek(to position: Int) throws(PlaceImportError) {
        do {
            try self.handle.seek(toOffset: UInt64(position))
            self.position = position
        } catch {
            throw PlaceImportError(.unreadable, "reading at byte \(position) failed: \(error)")
        }
    }
}

/// The failure of an external program.
struct ProgramFailure: Error {
    /// Whether the program was not found.
    let isMissing: Bool
    /// The lines of the program's standard error.
    let complaints: [String]
}

/// The standard output of an external program.
final class ProgramBytes {
    /// The maximum number of lines of standard error that are kept in memory.
    private static let mostLines = 50

    private let process = Process()
    private let output = Pipe()
    private let complaints: URL
    private let passedOver: String?

    /// Starts a program, found by `PATH`.
    ///
    /// - Parameters:
    ///   - name: the program.
    ///   - arguments: its arguments.
    ///   - folder: the folder of its standard error; nil for that of temporary files.
    ///   - passedOver: the start of the lines of standard error that are counted only.
    /// - Throws: an error when the program cannot be started.
    init(
        _ name: String,
        _ arguments: [String],
        in folder: URL? = nil,
        passingOver passedOver: String? = nil
    ) throws(PlaceImportError) {
        let folder = folder ?? FileManager.default.temporaryDirectory
        self.complaints = folder.appending(path: "muster-\(UUID().uuidString)")
        self.passedOver = passedOver
        self.process.executableURL = URL(filePath: "/usr/bin/env")
        self.process.arguments = [name] + arguments
        self.process.standardOutput = self.output
        self.process.standardInput = FileHandle.nullDevice
        do {
            try Data().write(to: self.complaints)
            self.process.standardError = try FileHandle(forWritingTo: self.complaints)
            try self.process.run()
        } catch {
            throw PlaceImportError(.unreadable, "cannot start \(name): \(error)")
        }
    }

    deinit {
        if self.process.isRunning { self.process.terminate() }
        try? FileManager.default.removeItem(at: self.complaints)
    }

    /// The number of lines of standard error so far that are counted only.
    var passedOverCount: Int {
        var count = 0
        self.eachComplaint { if self.isPassedOver($0) { count += 1 } }
        return count
    }

    /// Returns the next chunk; nil after the last one.
    ///
    /// - Throws: at the end, when the program exits with a failure.
    func next() throws(ProgramFailure) -> [UInt8]? {
        let data = self.output.fileHandleForReading.availableData
        guard data.isEmpty else { return Array(data) }
        self.process.waitUntilExit()
        guard self.process.terminationReason == .exit, self.process.terminationStatus == 0 else {
            var lines: [String] = []
            self.eachComplaint { if lines.count < Self.mostLines, !self.isPassedOver($0) { lines.append($0) } }
            // `env` exits with 127 when the program is not found.
            throw ProgramFailure(
                isMissing: self.process.terminationReason == .exit && self.process.terminationStatus == 127,
                complaints: lines
            )
        }
        return nil
    }

    private func isPassedOver(_ line: String) -> Bool { self.passedOver.map { line.hasPrefix($0) } ?? false }

    /// Calls a function for each line of standard error so far, which is read in pieces.
    private func eachComplaint(_ body: (String) -> Void) {
        guard let file = try? FileHandle(forReadingFrom: self.complaints) else { return }
        defer { try? file.close() }
        var rest: [UInt8] = []
        while let piece = try? file.read(upToCount: FileBytes.pieceSize), !piece.isEmpty {
            var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // A line without an end is not longer than a piece.
            rest = Array((lines.popLast() ?? []).prefix(FileBytes.pieceSize))
            for line in lines where !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
        }
        if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
    }
}

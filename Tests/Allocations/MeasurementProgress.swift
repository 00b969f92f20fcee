import Foundation

/// Prints the name of each measurement to standard error, with the time since the start.
enum MeasurementProgress {
    private static let start = ContinuousClock.now

    static func say(_ what: String) {
        let seconds = (ContinuousClock.now - self.start) / .seconds(1)
        FileHandle.standardError.write(Data("allocations: \(Int(seconds)) s: \(what)\n".utf8))
    }
}

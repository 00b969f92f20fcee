import Foundation

/// Tells on standard error what is being measured, with the time since the start.
enum MeasurementProgress {
    private static let start = ContinuousClock.now

    static func say(_ what: String) {
        let seconds = (ContinuousClock.now - self.start) / .seconds(1)
        FileHandle.standardError.write(Data("allocations: \(Int(seconds)) s: \(what)\n".utf8))
    }
}

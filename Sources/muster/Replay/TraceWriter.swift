import MusterWire
import Scenario

/// Writes generated lines as a trace.
struct TraceWriter {
    /// The output.
    let descriptor: Int32

    /// Writes a whole trace, a day at a time.
    func write(_ generator: ScenarioGenerator) throws(ReplayError) {
        var generator = generator
        var text: [UInt8] = []
        while let day = generator.nextDay() {
            for line in day {
                text += line.encoded
                text.append(UInt8(ascii: "\n"))
            }
            try text.write(to: self.descriptor)
            text.removeAll(keepingCapacity: true)
        }
    }
}

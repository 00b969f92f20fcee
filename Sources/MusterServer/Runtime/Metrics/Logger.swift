package import EventLoop
import Glibc
import MusterWire

/// Writes one JSON object a line to a descriptor: the time, a level, a message, and dotted keys.
///
/// A line is written by one `write`, so lines of several threads never mix.
package struct Logger: Sendable {
    /// The value of a dotted key.
    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
        ExpressibleByIntegerLiteral
    {
        case text(String)
        case number(Int64)

        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int64) { self = .number(value) }
    }

    private let level: LogEvent.Level
    private let descriptor: Int32
    private let clock: MonotonicClock

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - level: lines below it are dropped.
    ///   - descriptor: where lines go; standard error by default.
    ///   - clock: gives the time of each line.
    package init(level: LogEvent.Level = .info, descriptor: Int32 = STDERR_FILENO, clock: MonotonicClock = .system) {
        self.level = level
        self.descriptor = descriptor
        self.clock = clock
    }

    /// Writes a line.
    func log(_ level: LogEvent.Level, _ message: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.write(level, message, fields.lazy.map { ($0.key, $0.value) })
    }

    /// Writes a line about normal operation.
    package func info(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.log(.info, message, fields)
    }

    /// Writes a line that an operator should see.
    package func warning(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.log(.warning, message, fields)
    }

    /// Writes a line that an operator must act on.
    package func error(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.log(.error, message, fields)
    }

    private func write(_ level: LogEvent.Level, _ message: String, _ fields: some Sequence<(String, Value)>) {
        guard level >= self.level else { return }
        var line: [UInt8] = []
        line.reserveCapacity(160)
        line.append(contentsOf: #"{"at":"#.utf8)
        line.append(contentsOf: String(self.clock.wallMilliseconds).utf8)
        line.append(contentsOf: #","level":""#.utf8)
        line.append(contentsOf: level.rawValue.utf8)
        line.append(contentsOf: #"","message":"#.utf8)
        line.append(string: message)
        for (key, value) in fields {
            line.append(UInt8(ascii: ","))
            line.append(string: key)
            line.append(UInt8(ascii: ":"))
            switch value {
            case .text(let text): line.append(string: text)
            case .number(let number): line.append(contentsOf: String(number).utf8)
            }
        }
        line.append(UInt8(ascii: "}"))
        line.append(UInt8(ascii: "\n"))
        // A failure to write the log cannot be reported.
        _ = line.withUnsafeBytes { Glibc.write(self.descriptor, $0.baseAddress, $0.count) }
    }
}

extension Logger {
    /// Writes the event of a layer, with the name of the layer.
    func log(_ event: LogEvent, component: String) {
        let fields = [("component", Value.text(component))] + event.fields.map { ($0.key, .text($0.value)) }
        self.write(event.level, event.message, fields)
    }
}

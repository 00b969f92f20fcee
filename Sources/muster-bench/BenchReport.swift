import Foundation
import MusterServer

/// A report of a benchmark's result: a table for people, or JSON for programs.
struct BenchReport {
    let kind: String
    let parameters: [(name: String, value: String)]
    let outcome: BenchOutcome
    let machine = MachineDescription()

    /// One figure over all runs.
    private struct Row {
        let figure: BenchFigure
        let values: [Double]
    }

    private var rows: [Row] {
        (self.outcome.runs.first ?? []).map { figure in
            let values = self.outcome.runs.compactMap { run in run.first { $0.key == figure.key }?.value }
            return Row(figure: figure, values: values)
        }
    }

    /// The report as a table.
    var table: String {
        let head = self.parameters.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        var lines = ["muster bench \(self.kind): \(head)", self.machine.text]
        lines.append(
            "median of \(self.outcome.runs.count) run\(self.outcome.runs.count == 1 ? "" : "s"); lowest … highest"
        )
        lines.append("")
        let width = self.rows.map(\.figure.label.count).max() ?? 0
        for row in self.rows {
            let median = Self.pad(left: BenchFigure.text(row.values.median), 14)
            var line = "  \(Self.pad(right: row.figure.label, width)) \(median) \(Self.pad(right: row.figure.unit, 6))"
            if row.values.count > 1, let least = row.values.min(), let most = row.values.max() {
                line += "  \(BenchFigure.text(least)) … \(BenchFigure.text(most))"
            }
            lines.append(line)
        }
        if !self.outcome.notes.isEmpty { lines.append("") }
        lines += self.outcome.notes.map { "  \($0)" }
        lines += self.outcome.failures.map { "  FAILED: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report as one JSON object.
    var json: String {
        var text =
            #"{"bench":\#(Self.quoted(self.kind)),"version":\#(Self.quoted(MusterVersion.current)),"parameters":{"#
        text += self.parameters.map { "\(Self.quoted($0.name)):\(Self.value($0.value))" }.joined(separator: ",")
        text += #"},"machine":{"cores":\#(self.machine.cores),"model":\#(Self.quoted(self.machine.model)),"#
        text += #""kernel":\#(Self.quoted(self.machine.kernel)),"memoryBytes":\#(self.machine.memory),"#
        text += #""optimised":\#(self.machine.isOptimised)},"runs":\#(self.outcome.runs.count),"figures":{"#
        text += self.rows.map { row in
            let values = row.values.map(Self.number).joined(separator: ",")
            return
                #"\#(Self.quoted(row.figure.key)):{"median":\#(Self.number(row.values.median)),"values":[\#(values)]}"#
        }.joined(separator: ",")
        text += #"},"notes":[\#(self.outcome.notes.map(Self.quoted).joined(separator: ","))],"#
        return text + #""failures":[\#(self.outcome.failures.map(Self.quoted).joined(separator: ","))]}"# + "\n"
    }

    private static func pad(right text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func pad(left text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// A parameter as JSON; numeric texts become numbers.
    private static func value(_ text: String) -> String {
        Double(text) == nil ? Self.quoted(text) : text
    }

    private static func number(_ value: Double) -> String {
        value.isFinite ? String(format: "%.6g", value) : "null"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ": quoted += String(format: "\\u%04x", scalar.value)
            case _: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

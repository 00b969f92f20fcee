import MusterCore

// A value has four possible sources, in order of priority: the command line, MUSTER_… in the environment, the file of
// --config, the default. A file has one `name = value` per line; a line with `#` is a comment. An unknown name on the
// command line or in the file is an error; a file may have the options of all commands. Unknown MUSTER_ names in the environment are ignored, because other programs
// may use them.

/// Parses the options of a command.
struct OptionParser {
    /// The option for a configuration file, available in every command.
    static let configuration = Option(
        "config",
        .one("FILE"),
        help: "read options from FILE: one 'name = value' per line, '#' begins a comment"
    )

    /// The valid options.
    let options: [Option]
    /// The names that other commands know, which a file may have, too.
    var otherNames: Set<String> = []

    /// Parses `arguments` (without the command's name), `environment`, and the file of `--config`, which `readFile`
    /// reads.
    func parse(
        _ arguments: [String],
        environment: [String: String],
        readFile: (String) -> String?
    ) throws(UsageError) -> OptionValues {
        var commandLine = OptionValues(options: self.options)
        try self.read(arguments, into: &commandLine)

        var values = OptionValues(options: self.options)
        values.operands = commandLine.operands
        let file = commandLine.text("config") ?? environment[Self.configuration.environmentName]
        if let file {
            guard let text = readFile(file) else { throw UsageError("--config: cannot read '\(file)'") }
            try self.read(file: file, text, into: &values)
        }
        for option in self.options {
            if let text = environment[option.environmentName] ?? option.alias.flatMap({ environment[$0] }) {
                values.set(option.name, to: try self.split(text, for: option, source: option.environmentName))
            }
            let stronger = commandLine.texts(option.name)
            if !stronger.isEmpty { values.set(option.name, to: stronger) }
        }
        return values
    }

    private func read(_ arguments: [String], into values: inout OptionValues) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                values.operands += rest
                return
            }
            guard argument.hasPrefix("--") else {
                guard !argument.hasPrefix("-") || argument == "-" else {
                    throw UsageError("unknown option '\(argument)'")
                }
                values.operands.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = try self.option(named: String(parts[0]), shownAs: String(argument))
            let attached = parts.count > 1 ? String(parts[1]) : nil
            switch option.argument {
            case .none:
                guard attached == nil else { throw UsageError("--\(option.name) takes no value") }
                values.set(option.name, to: ["true"])
            case .one(let value), .many(let value):
                guard let text = attached ?? rest.popFirst() else {
                    throw UsageError("--\(option.name) needs a value: \(value)")
                }
                if case .many = option.argument {
                    values.append(option.name, text)
                } else {
                    values.set(option.name, to: [text])
                }
            }
        }
    }

    private func read(file: String, _ text: String, into values: inout OptionValues) throws(UsageError) {
        for (number, line) in text.fileLines.enumerated() {
            let trimmed = line.trimmingSpaces()
            guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
            let parts = trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let place = "\(file):\(number + 1)"
            guard parts.count == 2 else { throw UsageError("\(place): expected 'name = value'") }
            let name = String(parts[0].trimmingSpaces())
            if self.otherNames.contains(name), !self.options.contains(where: { $0.name == name }) { continue }
            let option = try self.option(named: name, shownAs: "\(name) (\(place))")
            let value = String(parts[1].trimmingSpaces())
            values.set(option.name, to: try self.split(value, for: option, source: place))
        }
    }

    private func option(named name: String, shownAs text: String) throws(UsageError) -> Option {
        guard let option = self.options.first(where: { $0.name == name }) else {
            throw UsageError("unknown option '\(text)'")
        }
        return option
    }

    private func split(_ text: String, for option: Option, source: String) throws(UsageError) -> [String] {
        switch option.argument {
        case .one:
            return [text]
        case .many:
            return text.split(separator: ",").map { String($0.trimmingSpaces()) }
        case .none:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return ["true"]
            case "0", "false", "no", "off", "": return ["false"]
            case let other: throw UsageError("\(source) must be true or false, not '\(other)'")
            }
        }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        let start = self.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}

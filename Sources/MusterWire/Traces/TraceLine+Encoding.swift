import MusterCore

extension TraceLine {
    /// Appends the line's JSON, without the end of the line.
    package func append(to line: inout [UInt8]) {
        switch self {
        case .group(let group): group.append(to: &line)
        case .fix(let report): report.append(to: &line)
        case .sharing(let choice): choice.append(to: &line)
        case .truth(let truth): truth.append(to: &line)
        }
    }
}

extension TraceLine.Group {
    fileprivate func append(to line: inout [UInt8]) {
        line.append(json: #"{"group":{"id":"#)
        line.append(string: self.id)
        line.append(json: #","name":"#)
        line.append(string: self.name)
        line.append(json: #","members":"#)
        line.append(array: self.members) { $0.append(string: $1) }
        line.append(json: #","settings":{"#)
        line.append("radius", self.settings.radius) { $0.append(number: $1) }
        line.append("dwell", self.settings.dwell) { $0.append(integer: $1) }
        line.append("maxAbsent", self.settings.maxAbsent) { $0.append(integer: $1) }
        line.append("cooldown", self.settings.cooldown) { $0.append(integer: $1) }
        line.append(json: "}}}")
    }
}

extension TraceLine.Report {
    fileprivate func append(to line: inout [UInt8]) {
        line.append(json: "{")
        line.append("user", self.user) { $0.append(string: $1) }
        line.append("device", self.device.isEmpty ? nil : self.device) { $0.append(string: $1) }
        line.append("kind", self.kind?.rawValue) { $0.append(string: $1) }
        line.append("seq", self.fix.sequence > 0 ? self.fix.sequence : nil) { $0.append(integer: $1) }
        line.append("at", self.fix.at) { $0.append(time: $1) }
        line.append("lat", self.fix.coordinate.latitude) { $0.append(degrees: $1) }
        line.append("lon", self.fix.coordinate.longitude) { $0.append(degrees: $1) }
        line.append("accuracy", self.fix.accuracy) { $0.append(number: $1) }
        line.append("altitude", self.fix.altitude) { $0.append(number: $1) }
        line.append("speed", self.fix.speed) { $0.append(number: $1) }
        line.append("course", self.fix.course) { $0.append(number: $1) }
        line.append("battery", self.fix.battery) { $0.append(number: $1) }
        line.append("trigger", self.fix.trigger?.rawValue) { $0.append(string: $1) }
        line.append("receivedAt", self.receivedAt) { $0.append(time: $1) }
        line.append(json: "}")
    }
}

extension TraceLine.Choice {
    fileprivate func append(to line: inout [UInt8]) {
        line.append(json: "{")
        line.append("user", self.user) { $0.append(string: $1) }
        line.append("at", self.at) { $0.append(time: $1) }
        line.append("sharing", self.mode.rawValue) { $0.append(string: $1) }
        line.append("group", self.group) { $0.append(string: $1) }
        line.append("until", self.until) { $0.append(time: $1) }
        line.append("receivedAt", self.receivedAt) { $0.append(time: $1) }
        line.append(json: "}")
    }
}

extension TraceTruth {
    fileprivate func append(to line: inout [UInt8]) {
        line.append(json: #"{"truth":{"#)
        switch self {
        case .day(let group, let begin, let story, let people):
            line.append("group", group) { $0.append(string: $1) }
            line.append("day", begin) { $0.append(time: $1) }
            line.append("story", story) { $0.append(string: $1) }
            line.append("people", people) { $0.append(integer: $1) }
        case .left(let group, let user, let variant, let from, let until):
            line.append("group", group) { $0.append(string: $1) }
            line.append("user", user) { $0.append(string: $1) }
            line.append("variant", variant.rawValue) { $0.append(string: $1) }
            line.append("from", from) { $0.append(time: $1) }
            line.append("until", until) { $0.append(time: $1) }
        }
        line.append(json: "}}")
    }
}

extension [UInt8] {
    /// Appends a field with its name when there is a value.
    fileprivate mutating func append<Value>(
        _ name: String,
        _ value: Value?,
        by append: (inout [UInt8], Value) -> Void
    ) {
        guard let value else { return }
        self.separateFromPrevious()
        self.append(string: name)
        self.append(json: ":")
        append(&self, value)
    }
}

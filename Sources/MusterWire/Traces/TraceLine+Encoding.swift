import MusterCore

extension TraceLine {
    /// The line's JSON, without a line break.
    package var encoded: [UInt8] { WireEncoder.encode(self.fields) }

    private var fields: FieldList {
        switch self {
        case .group(let group): ["group": group.fields]
        case .place(let place): ["place": place.fields]
        case .fix(let report): report.fields
        case .sharing(let choice): choice.fields
        case .truth(let truth): ["truth": truth.fields]
        }
    }
}

extension TraceLine.Group {
    fileprivate var fields: FieldList {
        [
            "id": self.id, "name": self.name, "members": self.members,
            "settings": [
                "radius": self.settings.radius, "dwell": self.settings.dwell, "maxAbsent": self.settings.maxAbsent,
                "cooldown": self.settings.cooldown,
            ] as FieldList,
        ]
    }
}

extension TraceLine.Place {
    fileprivate var fields: FieldList {
        ["id": self.id, "group": self.group, "name": self.name] + self.coordinate.fields + [
            "radius": self.radius, "notify": FieldList(self.notify.map { ($0.user, $0.to) }),
        ]
    }
}

extension TraceLine.Report {
    fileprivate var fields: FieldList {
        [
            "user": self.user, "device": self.device.isEmpty ? nil : self.device, "kind": self.kind?.rawValue,
            "seq": self.fix.sequence > 0 ? self.fix.sequence : nil, "at": self.fix.at,
        ] + self.fix.coordinate.fields + [
            "accuracy": self.fix.accuracy, "altitude": self.fix.altitude, "speed": self.fix.speed,
            "course": self.fix.course, "battery": self.fix.battery, "trigger": self.fix.trigger?.rawValue,
            "receivedAt": self.receivedAt,
        ]
    }
}

extension TraceLine.Choice {
    fileprivate var fields: FieldList {
        [
            "user": self.user, "at": self.at, "sharing": self.mode.rawValue, "group": self.group, "until": self.until,
            "receivedAt": self.receivedAt,
        ]
    }
}

extension TraceTruth {
    fileprivate var fields: FieldList {
        switch self {
        case .day(let group, let begin, let story, let people):
            ["group": group, "day": begin, "story": story, "people": people]
        case .left(let group, let user, let variant, let from, let until):
            ["group": group, "user": user, "variant": variant.rawValue, "from": from, "until": until]
        }
    }
}

package import MusterCore
package import MusterWire

// The frames of simulated phones. Other requests are written as a `Frame` with a list of fields.

extension Fix {
    /// The JSON of a `location` frame with this fix.
    package var frame: [UInt8] {
        let fields =
            ["seq": self.sequence] as FieldList + self.coordinate.fields + [
                "accuracy": self.accuracy, "at": self.at, "altitude": self.altitude, "speed": self.speed,
                "course": self.course, "battery": self.battery, "trigger": self.trigger?.rawValue,
                "answer": self.answer,
            ]
        return Frame("location", nil, fields).encoded
    }
}

extension Hello {
    /// The frame's JSON.
    package var frame: [UInt8] {
        var fields: FieldList = [
            "token": self.token,
            "device": ["key": self.device.key, "name": self.device.name, "kind": self.device.kind] as FieldList,
        ]
        if !self.resume.isEmpty || self.knownNotification > 0 || self.rooms != nil {
            fields = fields + ["resume": self.resumed]
        }
        return Frame("hello", self.tag, fields).encoded
    }

    private var resumed: FieldList {
        let groups = self.resume.sorted { $0.key < $1.key }.map { group, known in
            (name: group.description, value: ["epoch": known.epoch, "version": known.version] as FieldList)
        }
        let rooms = self.rooms?.sorted { $0.key < $1.key }.map { room, known in
            (
                name: room.description,
                value: ["epoch": known.epoch, "version": known.version, "read": known.read] as FieldList
            )
        }
        return [
            "groups": FieldList(groups), "notification": self.knownNotification, "rooms": rooms.map { FieldList($0) },
        ]
    }
}

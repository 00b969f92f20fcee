package import MusterCore

extension GatheringStatus {
    /// The frame that tells a group of its gathering.
    package func frame(of group: GroupID) -> Frame<FieldList> {
        Frame("gathering", nil, ["group": group] + self.fields)
    }

    /// What a roster embeds of it, and the frame repeats.
    var fields: FieldList {
        [
            "gathering": self.gathering, "state": self.state, "since": self.since, "place": self.place.fields,
            "together": self.together, "absent": self.absent,
        ]
    }
}

extension GatheringPlace {
    /// Where it is; its name only when it has one.
    var fields: FieldList {
        Coordinate(latitude: self.lat, longitude: self.lon).fields + ["name": self.name, "at": self.at]
    }
}

extension Coordinate {
    /// `lat` and `lon`.
    var fields: FieldList {
        ["lat": RoundedNumber.degrees(self.latitude), "lon": RoundedNumber.degrees(self.longitude)]
    }
}

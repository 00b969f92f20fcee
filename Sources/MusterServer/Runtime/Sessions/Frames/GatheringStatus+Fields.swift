package import MusterCore
package import MusterWire

extension GatheringStatus {
    /// Returns the frame about a group's gathering.
    package func frame(of group: GroupID) -> Frame<FieldList> {
        Frame("gathering", nil, ["group": group] + self.fields)
    }

    /// The fields that the frame and the roster share.
    var fields: FieldList {
        [
            "gathering": self.gathering, "state": self.state, "since": self.since, "place": self.place.fields,
            "together": self.together, "absent": self.absent,
        ]
    }
}

extension GatheringPlace {
    /// The position, and the name if there is one.
    var fields: FieldList {
        Coordinate(latitude: self.lat, longitude: self.lon).fields + ["name": self.name, "at": self.at]
    }
}

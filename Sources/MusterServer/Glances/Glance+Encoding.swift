import MusterCore
import MusterWire

extension Glance {
    /// The frame's fields.
    ///
    /// `Glance.room` relies on their size.
    var fields: FieldList {
        [
            "at": self.at, "groups": self.groups.map(\.fields), "spots": self.spots.map(\.fields),
            "places": self.places.isEmpty ? nil : self.places.map(\.fields),
            "notifications": self.notifications.map(\.fields),
        ]
    }
}

extension Glance.Group {
    fileprivate var fields: FieldList {
        [
            "id": self.id, "name": self.name, "together": self.together, "of": self.of, "you": self.you,
            "place": self.place?.fields, "distance": self.distance.map { RoundedNumber($0, decimals: 0) },
        ]
    }
}

extension Glance.Spot {
    fileprivate var fields: FieldList {
        ["id": self.text.spot] + self.coordinate.fields + [
            "comment": self.text.comment, "likes": self.text.likes, "dislikes": self.text.dislikes,
            "distance": RoundedNumber(self.distance, decimals: 0),
        ]
    }
}

extension Glance.Place {
    fileprivate var fields: FieldList {
        ["user": self.user, "name": self.name, "place": self.place, "state": self.state, "at": self.at]
    }
}

extension Glance.Notification {
    fileprivate var fields: FieldList {
        ["notification": self.number, "kind": self.kind, "group": self.group, "text": self.text]
    }
}

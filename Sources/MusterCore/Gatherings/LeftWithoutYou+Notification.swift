extension LeftWithoutYou {
    /// The notification for this alert.
    ///
    /// Its subject contains the time of the decision, which differs between any two alerts of one user.
    package var content: NotificationContent {
        typealias Field = NotificationPayload.Field
        var place = [Field("lat", .number(self.place.lat)), Field("lon", .number(self.place.lon))]
        if let name = self.place.name { place.append(Field("name", .text(name))) }
        if let at = self.place.at { place.append(Field("at", .integer(at.milliseconds))) }
        let together = self.together.map { companion in
            NotificationPayload.Value.object([
                Field("id", .user(companion.id)), Field("name", .text(companion.name)),
            ])
        }
        let you = [
            Field("lat", .number(self.you.lat)), Field("lon", .number(self.you.lon)),
            Field("at", .integer(self.you.at.milliseconds)),
        ]
        return NotificationContent(
            kind: NotificationKind.leftWithoutYou.name,
            group: self.group,
            groupName: self.groupName,
            subject: "\(self.gathering):\(self.variant.rawValue):\(self.at.milliseconds)",
            at: self.at,
            payload: NotificationPayload([
                Field("gathering", .text("\(self.gathering)")), Field("variant", .text(self.variant.rawValue)),
                Field("since", .integer(self.since.milliseconds)), Field("place", .object(place)),
                Field("together", .list(together)), Field("distance", .number((self.distance * 10).rounded() / 10)),
                Field("you", .object(you)),
            ])
        )
    }
}

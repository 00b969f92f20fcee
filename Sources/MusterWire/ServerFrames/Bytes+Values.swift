import MusterCore

// Values that occur in frames of several types.

extension [UInt8] {
    /// Appends `,"id":…` when there is a mark.
    mutating func append(tag: RequestTag?) {
        guard let tag else { return }
        self.append(json: #","id":"#)
        switch tag {
        case .number(let number): self.append(integer: number)
        case .text(let text): self.append(string: text)
        }
    }

    /// Appends `"lat":…,"lon":…`.
    mutating func append(latitude: Double, longitude: Double) {
        self.append(jsonWithin: 20 + 2 * JSONPen.numberRoom) { $0.write(latitude: latitude, longitude: longitude) }
    }

    /// Appends `,"name":…` when there is a number; `name` comes with its comma, quotes and colon.
    mutating func append(_ name: StaticString, number: Float?) {
        guard let number else { return }
        self.append(json: name)
        self.append(number: number)
    }

    /// Appends `"lat":…,"lon":…[,"accuracy":…],"at":…`.
    mutating func append(position: SelfPosition) {
        self.append(latitude: position.coordinate.latitude, longitude: position.coordinate.longitude)
        self.append(#","accuracy":"#, number: position.accuracy)
        self.append(json: #","at":"#)
        self.append(time: position.at)
    }

    /// Appends a place; its name only when it has one.
    mutating func append(place: GatheringPlace) {
        self.append(json: "{")
        self.append(latitude: place.lat, longitude: place.lon)
        if let name = place.name {
            self.append(json: #","name":"#)
            self.append(string: name)
        }
        if let at = place.at {
            self.append(json: #","at":"#)
            self.append(time: at)
        }
        self.append(json: "}")
    }

    /// Appends `"gathering":…,"state":…,…`, without braces.
    mutating func append(gathering status: GatheringStatus, names: IdentityNames? = nil) {
        self.append(json: #""gathering":"#)
        self.append(id: status.gathering)
        self.append(json: #","state":"#)
        self.append(string: status.state.rawValue)
        self.append(json: #","since":"#)
        self.append(time: status.since)
        self.append(json: #","place":"#)
        self.append(place: status.place)
        self.append(json: #","together":"#)
        self.append(array: status.together) { $0.append(user: $1, names: names) }
        self.append(json: #","absent":"#)
        self.append(array: status.absent) { $0.append(user: $1, names: names) }
    }

    /// Appends a person by id and name.
    mutating func append(person id: UserID, name: String, names: IdentityNames? = nil) {
        self.append(json: #"{"id":"#)
        self.append(user: id, names: names)
        self.append(json: #","name":"#)
        self.append(string: name)
        self.append(json: "}")
    }

    /// Appends a group as its member sees it.
    mutating func append(group: Welcome.Group) {
        self.append(json: #"{"id":"#)
        self.append(id: group.id)
        self.append(json: #","name":"#)
        self.append(string: group.name)
        self.append(json: #","role":"#)
        self.append(string: group.role.rawValue)
        self.append(json: #","settings":"#)
        self.append(settings: group.settings)
        if let sharing = group.sharing {
            self.append(json: #","sharing":{"#)
            self.append(mode: sharing.mode, until: sharing.until)
            self.append(json: "}")
        }
        self.append(json: "}")
    }

    /// Appends what a group's owner chose.
    mutating func append(settings: GroupSettings) {
        self.append(json: #"{"radius":"#)
        self.append(number: settings.radius)
        self.append(json: #","dwell":"#)
        self.append(integer: settings.dwell)
        self.append(json: #","maxAbsent":"#)
        self.append(integer: settings.maxAbsent)
        self.append(json: #","cooldown":"#)
        self.append(integer: settings.cooldown)
        self.append(json: "}")
    }

    /// Appends `"mode":…,"until":…`, without braces.
    mutating func append(mode: Sharing.Mode, until: Timestamp?) {
        self.append(json: #""mode":"#)
        self.append(string: mode.rawValue)
        self.append(json: #","until":"#)
        if let until { self.append(time: until) } else { self.append(json: "null") }
    }
}

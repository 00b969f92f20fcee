package import MusterCore

extension RosterFrame {
    /// Appends a member's slow part: fields without braces.
    package static func appendProfile(_ profile: RosterEntry.Profile, to piece: inout [UInt8]) {
        piece.append(json: #""name":"#)
        piece.append(string: profile.name)
        piece.append(json: #","avatar":"#)
        piece.append(string: profile.avatar)
        piece.append(json: #","role":"#)
        piece.append(string: profile.role.rawValue)
        piece.append(json: #","presence":"#)
        piece.append(string: profile.presence.rawValue)
        piece.append(json: #","sharing":"#)
        piece.append(string: profile.sharing.rawValue)
        if let lastSeen = profile.lastSeen {
            piece.append(json: #","lastSeen":"#)
            piece.append(time: lastSeen)
        } else if profile.withdrawsLastSeen {
            piece.append(json: #","lastSeen":null"#)
        }
    }

    /// Appends a member's fast part: fields without braces; a field that was withdrawn is null.
    package static func appendPosition(_ position: RosterEntry.Position, to piece: inout [UInt8]) {
        if let coordinate = position.coordinate {
            piece.append(latitude: coordinate.latitude, longitude: coordinate.longitude)
            piece.append(json: ",")
        } else if position.withdrawn.contains(.place) {
            piece.append(json: #""lat":null,"lon":null,"#)
        }
        self.append(#""accuracy":"#, position.accuracy, withdrawn: position.withdrawn.contains(.accuracy), to: &piece)
        if let at = position.at {
            piece.append(json: #""at":"#)
            piece.append(time: at)
            piece.append(json: ",")
        } else if position.withdrawn.contains(.place) {
            piece.append(json: #""at":null,"#)
        }
        self.append(#""altitude":"#, position.altitude, withdrawn: position.withdrawn.contains(.altitude), to: &piece)
        self.append(#""speed":"#, position.speed, withdrawn: position.withdrawn.contains(.speed), to: &piece)
        self.append(#""course":"#, position.course, withdrawn: position.withdrawn.contains(.course), to: &piece)
        self.append(#""battery":"#, position.battery, withdrawn: position.withdrawn.contains(.battery), to: &piece)
        piece.append(json: #""freshness":"#)
        piece.append(string: position.freshness.rawValue)
    }

    /// Appends what a roster embeds of a gathering: an object, or `null`.
    package static func appendGathering(_ gathering: GatheringStatus?, to piece: inout [UInt8]) {
        guard let gathering else { return piece.append(json: "null") }
        piece.append(json: "{")
        piece.append(gathering: gathering)
        piece.append(json: "}")
    }

    private static func append(
        _ name: StaticString,
        _ number: Float?,
        withdrawn: Bool,
        to piece: inout [UInt8]
    ) {
        guard number != nil || withdrawn else { return }
        piece.append(json: name)
        if let number { piece.append(number: number) } else { piece.append(json: "null") }
        piece.append(json: ",")
    }
}

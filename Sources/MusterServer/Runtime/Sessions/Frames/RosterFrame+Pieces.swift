import MusterCore
import MusterWire

extension RosterFrame {
    /// Appends the part of a member that changes seldom: fields without braces.
    static func appendProfile(_ profile: RosterEntry.Profile, to piece: inout [UInt8]) {
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

    /// Returns the part of a member that changes often: fields without braces, in an array of the exact size.
    ///
    /// A withdrawn field is null.
    package static func encoded(_ position: RosterEntry.Position) -> [UInt8] {
        Array(jsonWithin: self.positionCapacity) { self.write(position, with: &$0) }
    }

    /// Names and brackets use 150 bytes, and each of the eight numbers uses at most `JSONWriter.numberCapacity`.
    private static let positionCapacity = 160 + 8 * JSONWriter.numberCapacity

    private static func write(_ position: RosterEntry.Position, with writer: inout JSONWriter) {
        // Fields are seldom withdrawn. Then no membership test is needed, each of which costs as much as a number.
        let gone: RosterEntry.Position.Fields? = position.withdrawn.isEmpty ? nil : position.withdrawn
        if let coordinate = position.coordinate {
            writer.write(latitude: coordinate.latitude, longitude: coordinate.longitude)
            writer.write(",")
        } else if gone?.contains(.place) == true {
            writer.write(#""lat":null,"lon":null,"#)
        }
        self.write(#""accuracy":"#, position.accuracy, isGone: gone?.contains(.accuracy) == true, with: &writer)
        if let at = position.at {
            writer.write(#""at":"#)
            writer.write(integer: at.milliseconds)
            writer.write(",")
        } else if gone?.contains(.place) == true {
            writer.write(#""at":null,"#)
        }
        self.write(#""altitude":"#, position.altitude, isGone: gone?.contains(.altitude) == true, with: &writer)
        self.write(#""speed":"#, position.speed, isGone: gone?.contains(.speed) == true, with: &writer)
        self.write(#""course":"#, position.course, isGone: gone?.contains(.course) == true, with: &writer)
        self.write(#""battery":"#, position.battery, isGone: gone?.contains(.battery) == true, with: &writer)
        writer.write(#""freshness":""#)
        writer.write(plain: position.freshness.rawValue)
        writer.write(#"""#)
    }

    /// Appends the roster's form of a gathering: an object, or `null`.
    static func appendGathering(_ gathering: GatheringStatus?, to piece: inout [UInt8]) {
        if let gathering { piece += WireEncoder.encode(gathering.fields) } else { piece.append(json: "null") }
    }

    // Inlined so that the length of `name` is known, see `JSONWriter`.
    @inline(__always)
    private static func write(
        _ name: StaticString,
        _ number: Float?,
        isGone: Bool,
        with writer: inout JSONWriter
    ) {
        guard number != nil || isGone else { return }
        writer.write(name)
        if let number { writer.write(number: number) } else { writer.write("null") }
        writer.write(",")
    }
}

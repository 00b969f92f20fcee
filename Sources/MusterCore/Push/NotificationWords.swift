// One table for each language. The page has the same words for its own cards.

/// The words of notifications in one language.
package enum NotificationWords: String, Sendable, CaseIterable {
    case together
    case departed
    case distance
    case far
    case decimalSeparator
    case theOthers
    case somebody
    case inRoom
    case waitForMe
    case waitForMeMinutes
    case newMessages
    case newMessagesInRoom
    case eventChanged
    case eventMoved
    case eventCancelled
    case eventPlace
    case eventSoon
    case anEvent
    case itsTime
    case planProposed
    case aPlan
    case newSpot
    case aSpot
    case arrivedAt
    case leftPlace
    case aPlace
    case locate
    case test
    case wait
    case locateAction
    case seen
    case comeAlong
    case stayAway
    case like
    case dislike
    case answer
    case refuse

    /// Returns the words in a language, with names in place of `{…}`.
    package func text(in language: Language, _ values: KeyValuePairs<String, String> = [:]) -> String {
        // Replaced in one pass, so that a name cannot contain a placeholder.
        var text = ""
        var rest = self.template(in: language)[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            let name = String(rest[rest.index(after: start)..<end])
            text += values.first { $0.key == name }?.value ?? ""
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// The words in a language, with placeholders in braces.
    package func template(in language: Language) -> String {
        switch language {
        case .english: self.english
        case .german: self.german
        }
    }

    private var english: String {
        switch self {
        case .together: "{group} are together without you"
        case .departed: "{group} left without you"
        case .distance: "{text}, {distance} away"
        case .far: "far"
        case .decimalSeparator: "."
        case .theOthers: "The others"
        case .somebody: "Somebody"
        case .inRoom: "{name} in {room}"
        case .waitForMe: "{name}: wait for me"
        case .waitForMeMinutes: "{name}: wait for me, {minutes} min"
        case .newMessages: "New messages"
        case .newMessagesInRoom: "New messages in {room}"
        case .eventChanged: "{title} has changed"
        case .eventMoved: "{title} is now at {clock}"
        case .eventCancelled: "{title} is off"
        case .eventPlace: "{title} has a place for you"
        case .eventSoon: "{title} begins at {clock}"
        case .anEvent: "An event"
        case .itsTime: "its time"
        case .planProposed: "{name} proposes {plan}"
        case .aPlan: "a plan"
        case .newSpot: "New near you: {comment}"
        case .aSpot: "a spot"
        case .arrivedAt: "{name} arrived at {place}"
        case .leftPlace: "{name} left {place}"
        case .aPlace: "a place"
        case .locate: "{name} asks where you are"
        case .test: "This is a test. Notifications reach this device."
        case .wait: "Ask them to wait"
        case .locateAction: "Ask where they are"
        case .seen: "Seen"
        case .comeAlong: "I’m in"
        case .stayAway: "Not this time"
        case .like: "Like"
        case .dislike: "Dislike"
        case .answer: "Show where I am"
        case .refuse: "Not now"
        }
    }

    private var german: String {
        switch self {
        case .together: "{group} sind ohne dich zusammen"
        case .departed: "{group} sind ohne dich losgegangen"
        case .distance: "{text}, {distance} entfernt"
        case .far: "weit"
        case .decimalSeparator: ","
        case .theOthers: "Die anderen"
        case .somebody: "Jemand"
        case .inRoom: "{name} in {room}"
        case .waitForMe: "{name}: wartet auf mich"
        case .waitForMeMinutes: "{name}: wartet auf mich, {minutes} Min."
        case .newMessages: "Neue Nachrichten"
        case .newMessagesInRoom: "Neue Nachrichten in {room}"
        case .eventChanged: "{title} wurde geändert"
        case .eventMoved: "{title} ist jetzt um {clock}"
        case .eventCancelled: "{title} fällt aus"
        case .eventPlace: "{title} hat einen Platz für dich"
        case .eventSoon: "{title} beginnt um {clock}"
        case .anEvent: "Ein Event"
        case .itsTime: "seiner Zeit"
        case .planProposed: "{name} schlägt {plan} vor"
        case .aPlan: "einen Plan"
        case .newSpot: "Neu in der Nähe: {comment}"
        case .aSpot: "ein Tipp"
        case .arrivedAt: "{name} ist angekommen: {place}"
        case .leftPlace: "{name} ist gegangen: {place}"
        case .aPlace: "ein Ort"
        case .locate: "{name} fragt, wo du bist"
        case .test: "Das ist ein Test. Benachrichtigungen erreichen dieses Gerät."
        case .wait: "Um Warten bitten"
        case .locateAction: "Fragen, wo sie sind"
        case .seen: "Gesehen"
        case .comeAlong: "Bin dabei"
        case .stayAway: "Diesmal nicht"
        case .like: "Gefällt mir"
        case .dislike: "Gefällt mir nicht"
        case .answer: "Zeigen, wo ich bin"
        case .refuse: "Jetzt nicht"
        }
    }
}

import MusterMath

// I = log10(1 + people) / 7.5 + 0.06 for a capital + 0.03 for a state's, at most 1; a state has 0.15 less. A street has 0.1, a
// house 0.05, anything else 0.1 + 0.3 · fame.

/// How likely a place is what people mean, from 0 to 1.
package enum PlaceImportance {
    /// What a city governs.
    package enum Seat: Sendable {
        case none
        case ofState
        case ofCountry

        fileprivate var bonus: Double {
            switch self {
            case .none: 0
            case .ofState: 0.03
            case .ofCountry: 0.06
            }
        }
    }

    /// The importance of a place.
    ///
    /// `people` live there; `fame`, from 0 to 1, is for what is no town and no area.
    package static func of(_ type: PlaceType, people: Int64, seat: Seat = .none, fame: Double = 0) -> Double {
        let settled = min(1, decimalLogarithm(1 + Double(max(0, people))) / 7.5 + seat.bonus)
        switch type {
        case .city, .locality, .country: return settled
        case .state: return max(0, settled - 0.15)
        case .street: return 0.1
        case .house: return 0.05
        case .other: return 0.1 + 0.3 * fame
        }
    }

    /// How well known an unrated place is, from 0 to 1, by what OpenStreetMap tells of it.
    package static func fame(tags: [String: String]) -> Double {
        func has(_ keys: String...) -> Bool { keys.contains { tags[$0] != nil } }
        var fame = 0.2
        if has("wikidata", "wikipedia") { fame += 0.3 }
        if has("website", "contact:website") { fame += 0.1 }
        if has("opening_hours") { fame += 0.1 }
        if has("phone", "contact:phone") { fame += 0.05 }
        if has("cuisine") { fame += 0.05 }
        return fame
    }
}

import MusterMath

// I = log10(1 + people) / 7.5 + 0.06 for a national capital + 0.03 for the capital of a state, at most 1; a state has
// 0.15 less. A street has 0.1, a house 0.05, and any other place 0.1 + 0.3 · fame.

/// The importance of a place: how likely users mean it, from 0 to 1.
package enum PlaceImportance {
    /// The area whose seat of government a city is.
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
    /// `people` is the population; `fame`, from 0 to 1, applies to places that are neither towns nor areas.
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

    /// The popularity of an unrated place, from 0 to 1, by its OpenStreetMap tags.
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

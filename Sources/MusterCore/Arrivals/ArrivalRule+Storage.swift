// Storage keeps the states and proofs, and the time of the last fix that was applied when one of them changed. The stay,
// the rhythm of reports and the fixes that wait follow from the history: a restart feeds the last fixes again. Those that
// had been applied only rebuild the stay; a change that they caused is stored already.

extension ArrivalRule {
    /// The time in milliseconds for which a restart reads the history.
    package static let memory: Int64 = 20 * 60_000

    /// The state at a place as storage keeps it.
    package func stored(_ place: GroupPlaceID, of user: UserID) -> StoredArrival {
        let standing = self.standings.first { $0.place == place }
        let applied = StoredMoment(self.last?.at ?? Timestamp(milliseconds: 0))
        guard let standing else {
            let since = self.last?.at ?? Timestamp(milliseconds: 0)
            return StoredArrival(
                user: user,
                place: place,
                isInside: false,
                since: since,
                details: StoredArrival.Details(applied: applied)
            )
        }
        let told = standing.told == standing.state ? nil : standing.told.isInside
        return StoredArrival(
            user: user,
            place: place,
            isInside: standing.state.isInside,
            since: standing.since,
            details: StoredArrival.Details(applied: applied, told: told, proof: standing.proof?.stored)
        )
    }

    /// The places whose stored state differs from an earlier one.
    package func changes(since before: [ArrivalStanding]) -> [GroupPlaceID] {
        guard !before.isEmpty || !self.standings.isEmpty else { return [] }
        var places = self.standings.filter { standing in
            !before.contains { $0.isStoredLike(standing) }
        }.map(\.place)
        for old in before where !self.standings.contains(where: { $0.place == old.place }) { places.append(old.place) }
        return places
    }

    /// Restores the states of watched places, and feeds the last fixes again.
    ///
    /// - Parameters:
    ///   - stored: the stored states; a watched place without one is unknown.
    ///   - fixes: the fixes of the last 20 minutes, in the order of arrival.
    package mutating func restore(_ stored: [StoredArrival], fixes: [ArrivalFix]) {
        for state in stored {
            guard let index = self.standings.firstIndex(where: { $0.place == state.place }) else { continue }
            self.standings[index].state = ArrivalStanding.State(isInside: state.isInside)
            self.standings[index].told = ArrivalStanding.State(isInside: state.details.told ?? state.isInside)
            self.standings[index].since = state.since
            self.standings[index].proof = state.details.proof.flatMap(ArrivalProof.init)
        }
        self.standings.removeAll(where: \.isDefault)
        let applied = stored.map(\.details.applied.moment).max()
        for fix in fixes.sorted(by: { $0.at < $1.at }) {
            if let applied, fix.at <= applied { self.recall(fix) } else { self.accept(fix) }
        }
    }
}

extension ArrivalStanding {
    fileprivate func isStoredLike(_ other: Self) -> Bool {
        self.place == other.place && self.state == other.state && self.told == other.told
            && self.proof?.stored == other.proof?.stored
    }
}

extension World {
    /// Applies the answer to a question; nil when storage could not answer.
    ///
    /// Sessions, groups and rooms may have ended since the question, or changed.
    mutating func apply(
        _ answer: StorageAnswer?,
        to question: StorageQuestion,
        into effects: inout [WorldEffect]
    ) {
        switch (question, answer) {
        case (.group, .group(let snapshot?)?): self.load(snapshot, into: &effects)
        case (.group(let group), .group(nil)?):
            // The world may hold the group from before its deletion.
            let deleted = GroupSnapshot(id: group, revision: .max, name: "", members: [])
            self.change(deleted, answer: nil, into: &effects)
            self.failLoad(of: group, into: &effects)
        case (.group(let group), nil): self.failLoad(of: group, into: &effects)
        case (.ended, .ended(let logins, let users)?):
            for login in logins { self.endLogin(login, into: &effects) }
            for user in users { self.delete(user, into: &effects) }
        case (.ended, nil): self.checkLogins(into: &effects)
        case (.inbox(let user), .inbox(let unseen, let last)?):
            self.readNotifications(of: user, unseen, upTo: last, into: &effects)
        case (.inbox(let user), nil): self.failReading(of: user)
        case (.missedSpots(let query), .missedSpots(let news)?): self.catchUp(query, with: news, into: &effects)
        case (.missedSpots(let query), nil): self.failCatchUp(query)
        case (.votes(let spots), .votes(let votes)?): self.sendVotes(votes, of: spots, into: &effects)
        case (.votes(let spots), nil): self.failCounting(of: spots)
        case (.spotTexts(let spots), .spotTexts(let texts)?): self.learn(texts, of: spots)
        case (.spotTexts(let spots), nil): self.failTexts(of: spots)
        case (.rooms(let query), .rooms(let read)?):
            self.show(read, to: query, into: &effects)
            self.endReading(of: query.session, into: &effects)
        case (.rooms(let query), nil): self.failRooms(query, into: &effects)
        case (.roomChanges, .roomChanges(let advance)?): self.receive(advance, into: &effects)
        case (.roomChanges(let room, _), nil): self.abandon(room, into: &effects)
        case (.roomVersions(let rooms), .roomVersions(let versions)?):
            let gone = Set(rooms).subtracting(versions.map(\.room)).sorted()
            self.note(.removed(gone.map(\.event)), into: &effects)
            self.note(.advanced(versions), into: &effects)
        case (.roomVersions(let rooms), nil): self.suspect(rooms, into: &effects)
        case (.event, .event(let news?)?): self.change(news, into: &effects)
        case (.event(let event), .event(nil)?): self.note(.removed([event]), into: &effects)
        case (.event(let event), nil): self.abandon(event.room, into: &effects)
        case (.group, _), (.ended, _), (.inbox, _), (.missedSpots, _), (.votes, _), (.spotTexts, _), (.rooms, _),
            (.roomChanges, _), (.roomVersions, _), (.event, _):
            preconditionFailure("an answer has the case of its question")
        }
    }
}

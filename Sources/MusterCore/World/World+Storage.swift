extension World {
    /// Applies the answer to a question; nil when storage could not answer.
    ///
    /// Sessions, groups and rooms may have ended since the question, or changed.
    mutating func apply(_ answer: StorageAnswer?, to question: StorageQuestion) {
        switch (question, answer) {
        case (.group, .group(let snapshot?)?): self.load(snapshot)
        case (.group(let group), .group(nil)?):
            // The world may hold the group from before its deletion.
            let deleted = GroupSnapshot(id: group, revision: .max, name: "", members: [])
            self.change(deleted, answer: nil)
            self.failLoad(of: group)
        case (.group(let group), nil): self.failLoad(of: group)
        case (.ended, .ended(let logins, let users)?):
            for login in logins { self.endLogin(login) }
            for user in users { self.delete(user) }
        case (.ended, nil): self.checkLogins()
        case (.inbox(let user), .inbox(let unseen, let last)?):
            self.readNotifications(of: user, unseen, upTo: last)
        case (.inbox(let user), nil): self.failReading(of: user)
        case (.missedSpots(let query), .missedSpots(let news)?): self.catchUp(query, with: news)
        case (.missedSpots(let query), nil): self.failCatchUp(query)
        case (.votes(let spots), .votes(let votes)?): self.sendVotes(votes, of: spots)
        case (.votes(let spots), nil): self.failCounting(of: spots)
        case (.spotTexts(let spots), .spotTexts(let texts)?): self.learn(texts, of: spots)
        case (.spotTexts(let spots), nil): self.failTexts(of: spots)
        case (.rooms(let query), .rooms(let read)?):
            self.show(read, to: query)
            self.endReading(of: query.session)
        case (.rooms(let query), nil): self.failRooms(query)
        case (.roomChanges, .roomChanges(let advance)?): self.receive(advance)
        case (.roomChanges(let room, _), nil): self.abandon(room)
        case (.roomVersions(let rooms), .roomVersions(let versions)?):
            let gone = Set(rooms).subtracting(versions.map(\.room)).sorted()
            self.note(.removed(gone.map(\.event)))
            self.note(.advanced(versions))
        case (.roomVersions(let rooms), nil): self.suspect(rooms)
        case (.event, .event(let news?)?): self.change(news)
        case (.event(let event), .event(nil)?): self.note(.removed([event]))
        case (.event(let event), nil): self.abandon(event.room)
        case (.group, _), (.ended, _), (.inbox, _), (.missedSpots, _), (.votes, _), (.spotTexts, _), (.rooms, _),
            (.roomChanges, _), (.roomVersions, _), (.event, _):
            preconditionFailure("an answer has the case of its question")
        }
    }
}

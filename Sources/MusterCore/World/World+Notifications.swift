extension World {
    /// How old an alert may be to come as news.
    static let newsLasts: Int64 = 900_000

    /// Notes what a person has seen.
    mutating func see(_ session: SessionID, upTo number: Int64, into effects: inout [WorldEffect]) {
        guard let slot = self.sessions.slot(of: session), self.sessions[slot].isOpen,
            let person = self.users.slot(of: self.sessions[slot].user),
            self.users[person].inbox.see(upTo: number)
        else { return }
        let user = self.sessions[slot].user
        let upTo = min(number, self.users[person].inbox.lastNumber)
        self.users[person].lastRecord = self.write(.seen(user, upTo: upTo, at: self.now), into: &effects)
    }

    /// Sends an alert that is durable now to all of the person's sessions; those just coming in get it with the others.
    mutating func sendAlert(_ number: Int64, of user: UserID, into effects: inout [WorldEffect]) {
        guard let person = self.users.slot(of: user),
            let entry = self.users[person].inbox.unseen.first(where: { $0.alert.notification == number })
        else { return }
        for id in self.users[person].sessions {
            guard let slot = self.sessions.slot(of: id), !self.sessions[slot].isWatch,
                self.sessions[slot].opening == nil
            else { continue }
            effects.append(self.alert(entry.alert, to: id))
        }
    }

    func alert(_ alert: LeftWithoutYou, to session: SessionID) -> WorldEffect {
        .alert(session, alert, isLate: self.now - alert.at > Self.newsLasts)
    }
}

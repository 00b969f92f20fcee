extension World {
    /// Processes an input of phones' own apps.
    mutating func note(_ input: PhoneAppInput) {
        switch input {
        case .reported(let report): self.receive(report)
        case .viewRequested(let request): self.phoneViews.append(request)
        }
    }

    /// Answers the requests whose groups are not being loaded any more.
    mutating func servePhoneViews() {
        guard !self.phoneViews.isEmpty else { return }
        let requests = self.phoneViews
        self.phoneViews = []
        for request in requests {
            if request.groups.contains(where: { self.loads[$0] != nil }) {
                self.phoneViews.append(request)
            } else {
                self.effects.append(.phoneApps(.viewed(request.number, self.phoneView(for: request))))
            }
        }
    }

    /// The newest request for a user's position that is open; nil when there is none.
    func newestLocate(of user: UserID) -> LocateID? {
        self.locates.indices.filter { self.isOpen($0, of: user) }.map { self.locates.keys[$0] }.max()
    }

    /// Whether the locate request in a slot asks `user` and waits for an answer.
    private func isOpen(_ slot: Int, of user: UserID) -> Bool {
        let locate = self.locates[slot]
        return locate.pair.target == user && !locate.isDone && self.now < locate.expiresAt
    }

    private func phoneView(for request: PhoneViewRequest) -> PhoneView? {
        guard let person = self.users.slot(of: request.user) else { return nil }
        let view = MemberView(users: self.users, now: self.now)
        var friends: [UserID: (openness: Int, friend: PhoneView.Friend)] = [:]
        for group in request.groups {
            guard let slot = self.groups.slot(of: group), self.groups[slot].index(of: request.user) != nil else {
                continue
            }
            for member in self.groups[slot].members where member.user != request.user {
                guard let profile = self.users.value(of: member.user)?.profile else { continue }
                let sharing = member.sharing.inForce(at: self.now)
                let position = view.position(of: member.user, sharing: sharing)
                let openness = position.coordinate == nil ? 0 : sharing.mode == .live ? 2 : 1
                if let known = friends[member.user], known.openness >= openness { continue }
                friends[member.user] = (openness, PhoneView.Friend(user: profile, position: position))
            }
        }
        return PhoneView(
            friends: friends.values.map(\.friend).sorted { $0.user.id < $1.user.id },
            isAsked: self.locates.indices.contains { slot in
                self.isOpen(slot, of: request.user) && self.mayAsk(slot, blocked: request.blocked)
            },
            unseen: self.users[person].inbox.unseen,
            at: self.now
        )
    }

    /// Whether the target of a locate request is to be asked: they share with its group, and have neither refused nor
    /// blocked the asker.
    private func mayAsk(_ slot: Int, blocked: [UserID]) -> Bool {
        let locate = self.locates[slot]
        guard !locate.isRefused, !blocked.contains(locate.pair.asker), let group = self.groups.slot(of: locate.group),
            self.groups[group].index(of: locate.pair.asker) != nil,
            let index = self.groups[group].index(of: locate.pair.target)
        else { return false }
        return self.groups[group].members[index].sharing.inForce(at: self.now).mode != .paused
    }
}

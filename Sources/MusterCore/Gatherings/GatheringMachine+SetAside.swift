// A group whose machine takes too long is set aside: nothing is decided about it for a while. What hides somebody holds
// nevertheless, and when the machine is tried again it knows where its members are.

extension GatheringMachine {
    /// Applies a change to the group without deciding anything; returns only what takes somebody out of what is told.
    package mutating func applyUndecided(_ change: GatheringChange) -> [GatheringEvent] {
        self.accept(change)
        guard case .gathered(let before) = self.phase else { return self.drainEvents() }
        var gathering = before
        self.findCluster()
        self.withdraw(from: &gathering)
        if gathering != before { self.change(to: .gathered(gathering)) }
        return self.drainEvents()
    }

    /// Takes over where members are, after nothing was observed for a while.
    package mutating func catchUp(with members: [Member]) {
        for member in members where member.isSharingLive {
            if let position = member.position { self.adopt(position, of: member.user) }
        }
    }
}

// A group whose machine takes too long is suspended: no decisions are made about it for a while. Changes that hide a
// member still apply, and when the machine is tried again it knows the positions of its members.

extension GatheringMachine {
    /// Applies a change to the group without deciding anything.
    ///
    /// The returned events only remove members from the status.
    mutating func applyUndecided(_ change: GatheringChange) -> [GatheringEvent] {
        self.accept(change)
        guard case .gathered(let before) = self.phase else { return self.drainEvents() }
        var gathering = before
        self.findCluster()
        self.withdraw(from: &gathering)
        if gathering != before { self.change(to: .gathered(gathering)) }
        return self.drainEvents()
    }

    /// Enqueues the stored positions of members after a suspension.
    mutating func catchUp(with members: [Member]) {
        for member in members where member.isSharingLive {
            if let position = member.position { self.adopt(position, of: member.user) }
        }
    }
}

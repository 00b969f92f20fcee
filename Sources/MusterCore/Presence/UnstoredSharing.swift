/// The changes that reduce a user's visibility and are not confirmed by storage yet.
///
/// They limit storage's setting, whatever it is, so that any error shows less and not more.
struct UnstoredSharing {
    /// The pending changes, in the order of arrival; at most one per subject.
    private var changes: [SharingChange] = []
    /// The last stored changes of single groups.
    ///
    /// Older changes about all groups no longer affect these.
    private var lastStored: [SharingChange.Subject: SharingChangeID] = [:]
    /// Storage's settings of the limited groups.
    private(set) var stored: [GroupID: Sharing] = [:]

    var isEmpty: Bool { self.changes.isEmpty }

    /// Adds a change, which replaces an earlier one about the same subject.
    mutating func add(_ change: SharingChange) {
        self.changes.removeAll { $0.subject == change.subject && $0.id <= change.id }
        self.changes.append(change)
    }

    /// Removes a change that is stored or void, together with earlier ones about the same subject.
    mutating func resolve(_ change: SharingChange) {
        let subject = change.subject
        self.changes.removeAll { old in
            old.id <= change.id && old.subject.isOfPictures == subject.isOfPictures
                && (change.group == nil || old.group == change.group)
        }
        if change.group != nil { self.lastStored[subject] = max(self.lastStored[subject] ?? change.id, change.id) }
    }

    /// The setting that a group sees at `now`, given storage's `sharing`, which is remembered.
    mutating func limit(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        self.stored[group] = sharing
        return self.limited(sharing, in: group, at: now)
    }

    /// The setting that a group sees at `now`, given storage's `sharing`.
    func limited(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        var seen = sharing.inForce(at: now)
        for change in self.changes where change.concerns(group) && !self.isReplaced(change, in: group) {
            switch change.choice {
            case .pictures(let isAllowed):
                if !isAllowed { seen.isPictured = false }
            case .mode(let mode, let until, let then):
                let said = Sharing(
                    mode: mode,
                    until: until,
                    then: then,
                    visibleSince: seen.visibleSince,
                    hasPaused: seen.hasPaused,
                    isPictured: seen.isPictured
                ).inForce(at: now)
                if said.mode.isNarrower(than: seen.mode) || said.endsNarrower(than: seen) { seen = said }
            }
        }
        return seen
    }

    /// Whether a group sees less at `now` than storage says.
    func narrows(_ group: GroupID, at now: Timestamp) -> Bool {
        guard let known = self.stored[group]?.inForce(at: now) else { return false }
        let seen = self.limited(known, in: group, at: now)
        return seen.mode.isNarrower(than: known.mode) || known.isPictured && !seen.isPictured
    }

    /// Whether a later change about this group alone is stored.
    private func isReplaced(_ change: SharingChange, in group: GroupID) -> Bool {
        let subject = SharingChange.Subject(
            user: change.user,
            group: group,
            isOfPictures: change.subject.isOfPictures
        )
        return self.lastStored[subject].map { change.id <= $0 } ?? false
    }
}

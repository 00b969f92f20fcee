/// The words by which a person wants to be seen less and that storage has not confirmed.
///
/// They limit what storage says, whatever else it says meanwhile, so what is only known here errs towards showing less.
struct UnstoredSharing {
    /// Words to store, in the order in which they came; never two about the same.
    private var words: [SharingWord] = []
    /// The last stored words about a group alone: older ones about all groups do not concern it any more.
    private var settled: [SharingWord.Subject: SharingWordID] = [:]
    /// What storage says of groups that see less.
    private(set) var stored: [GroupID: Sharing] = [:]

    var isEmpty: Bool { self.words.isEmpty }

    /// Adds a word; one about the same that came before it stands no more.
    mutating func add(_ word: SharingWord) {
        self.words.removeAll { $0.subject == word.subject && $0.id <= word.id }
        self.words.append(word)
    }

    /// Notes that a word is stored, or is void: it and what came before it about the same limit nothing any more.
    mutating func settle(_ word: SharingWord) {
        let subject = word.subject
        self.words.removeAll { old in
            old.id <= word.id && old.subject.isOfPictures == subject.isOfPictures
                && (word.group == nil || old.group == word.group)
        }
        if word.group != nil { self.settled[subject] = max(self.settled[subject] ?? word.id, word.id) }
    }

    /// What a group sees at `now` when storage says `sharing`, which is remembered.
    mutating func limit(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        self.stored[group] = sharing
        return self.limited(sharing, in: group, at: now)
    }

    /// What a group sees at `now` when storage says `sharing`.
    func limited(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        var seen = sharing.inForce(at: now)
        for word in self.words where word.concerns(group) && !self.isReplaced(word, in: group) {
            switch word.choice {
            case .pictures(let isAllowed):
                if !isAllowed { seen.isPictured = false }
            case .mode(let mode, let until):
                let said = Sharing(
                    mode: mode,
                    until: until,
                    visibleSince: seen.visibleSince,
                    hasPaused: seen.hasPaused,
                    isPictured: seen.isPictured
                ).inForce(at: now)
                let isLonger = said.mode == seen.mode && (said.until ?? .never) > (seen.until ?? .never)
                if said.mode.isNarrower(than: seen.mode) || isLonger { seen = said }
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

    /// Whether a later word about a group alone is stored.
    private func isReplaced(_ word: SharingWord, in group: GroupID) -> Bool {
        let subject = SharingWord.Subject(
            user: word.user,
            group: group,
            isOfPictures: word.subject.isOfPictures
        )
        return self.settled[subject].map { word.id <= $0 } ?? false
    }
}

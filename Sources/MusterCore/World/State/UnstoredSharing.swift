/// The words by which a person wants to be seen less and that storage has not confirmed.
///
/// They limit what storage says, whatever else it says meanwhile, so what is only known here errs towards showing less.
struct UnstoredSharing {
    /// Words to store, in the order in which they came; never two about the same.
    private var words: [SharingWord] = []
    /// The last stored word about a group alone: older ones about all groups do not concern it any more.
    private var settled: [GroupID: SharingWordID] = [:]
    /// What storage says of groups that see less.
    private(set) var stored: [GroupID: Sharing] = [:]

    var isEmpty: Bool { self.words.isEmpty }

    /// Adds a word; one about the same that came before it stands no more.
    mutating func add(_ word: SharingWord) {
        self.words.removeAll { $0.group == word.group && $0.id <= word.id }
        self.words.append(word)
    }

    /// Notes that a word is stored, or is void: it and what came before it about the same limit nothing any more.
    mutating func settle(_ word: SharingWord) {
        self.words.removeAll { $0.id <= word.id && (word.group == nil || $0.group == word.group) }
        if let group = word.group { self.settled[group] = max(self.settled[group] ?? word.id, word.id) }
    }

    /// What a group sees at `now` when storage says `sharing`, which is remembered.
    mutating func limit(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        self.stored[group] = sharing
        return self.limited(sharing, in: group, at: now)
    }

    /// What a group sees at `now` when storage says `sharing`.
    func limited(_ sharing: Sharing, in group: GroupID, at now: Timestamp) -> Sharing {
        var seen = sharing.inForce(at: now)
        for word in self.words where word.concerns(group) && word.id > self.settled[group] ?? SharingWordID(0) {
            let said = Sharing(
                mode: word.mode,
                until: word.until,
                visibleSince: seen.visibleSince,
                hasPaused: seen.hasPaused
            ).inForce(at: now)
            let isLonger = said.mode == seen.mode && (said.until ?? .never) > (seen.until ?? .never)
            if said.mode.isNarrower(than: seen.mode) || isLonger { seen = said }
        }
        return seen
    }
}

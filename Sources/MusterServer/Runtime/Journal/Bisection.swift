/// The size of the next attempt while a bad record is being searched for.
///
/// With one bad record among n it takes about 2·log₂ n transactions to find it and to write the rest.
struct Bisection {
    /// The length of the prefix that is known to contain a bad record; 0 when there is none.
    private var suspects = 0
    private var hasRepeated = false

    /// Whether no search is in progress.
    var isIdle: Bool { self.suspects == 0 }

    /// The number of records in the next attempt, of `available`.
    func size(of available: Int) -> Int {
        self.suspects == 0 ? available : max(1, min(available, self.suspects / 2))
    }

    /// Records that the first `size` records were rejected.
    mutating func rejected(_ size: Int) {
        self.suspects = size
        self.hasRepeated = false
    }

    /// Records that the first `size` records were written.
    mutating func succeeded(_ size: Int) {
        self.suspects = max(0, self.suspects - size)
        self.hasRepeated = false
    }

    /// Records that the bad record was found and removed.
    mutating func isolated() {
        self.suspects = 0
        self.hasRepeated = false
    }

    /// Whether the same records may be tried once more; true only once between two outcomes.
    mutating func mayRepeat() -> Bool {
        defer { self.hasRepeated = true }
        return !self.hasRepeated
    }
}

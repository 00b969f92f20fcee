/// How much of a batch is tried next while a bad record is looked for.
///
/// With one bad record among n it takes about 2·log₂ n transactions to find it and to write the rest.
struct Halving {
    /// The first so many records are known to hold a bad one; 0 when nothing is known.
    private var suspects = 0
    private var hasRepeated = false

    /// Whether no bad record is looked for.
    var isIdle: Bool { self.suspects == 0 }

    /// The number of records to try, of `available`.
    func size(of available: Int) -> Int {
        self.suspects == 0 ? available : max(1, min(available, self.suspects / 2))
    }

    /// The first `size` were rejected.
    mutating func rejected(_ size: Int) {
        self.suspects = size
        self.hasRepeated = false
    }

    /// The first `size` are written.
    mutating func succeeded(_ size: Int) {
        self.suspects = max(0, self.suspects - size)
        self.hasRepeated = false
    }

    /// The bad record is found and gone.
    mutating func isolated() {
        self.suspects = 0
        self.hasRepeated = false
    }

    /// Whether the same records may be tried once more; true once between two outcomes.
    mutating func mayRepeat() -> Bool {
        defer { self.hasRepeated = true }
        return !self.hasRepeated
    }
}

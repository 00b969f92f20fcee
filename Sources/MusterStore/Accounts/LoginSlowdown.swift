/// Counts failed logins and says how long the next one has to wait.
///
/// What counts is an account together with an address, so that whoever tries passwords locks nobody out elsewhere; an address
/// whatever it tries; and an account from wherever it is tried, at a ceiling that a person does not reach. Of a device that the
/// account knows nothing counts but what it tries itself.
///
/// An attempt counts as failed from its start, so that a burst of attempts at the same time gains nothing. Kept in
/// memory and bounded; the names of accounts that do not exist count like the others.
struct LoginSlowdown {
    /// What is counted.
    enum Subject: Hashable {
        /// An account as one address tries it; all of ours count as one, which is nil.
        case login(account: String, address: String?)
        /// An address that tries accounts.
        case address(String)
        /// An account as everybody tries it.
        case account(String)
        /// An account as a device tries that has said `hello` for it.
        case device(account: String, key: String)

        /// Failures that cost nothing, of a device in `deviceSpan`.
        ///
        /// Several people may share an address.
        var allowance: Int {
            switch self {
            case .login: 5
            case .address: 20
            case .account: 100
            case .device: 10
            }
        }
    }

    private struct Record {
        var failures = 0
        var firstAttempt: Int64
        var lastAttempt: Int64
        var blockedUntil: Int64 = 0
    }

    /// The longest wait, in milliseconds.
    static let longestDelay: Int64 = 300_000
    /// In this many milliseconds a device that the account knows has its allowance again.
    static let deviceSpan: Int64 = 300_000
    /// After this many quiet milliseconds failures are forgotten.
    static let memory: Int64 = 900_000

    private let capacity: Int
    private var records: [Subject: Record] = [:]

    /// Creates an empty count of at most `capacity` accounts and addresses.
    init(capacity: Int = 100_000) { self.capacity = capacity }

    /// Starts an attempt, or says in how many milliseconds it may be made.
    mutating func begin(_ subjects: [Subject], now: Int64) -> Int64? {
        let wait = subjects.compactMap { self.records[$0]?.blockedUntil }.max().map { $0 - now } ?? 0
        guard wait <= 0 else { return wait }
        for subject in subjects { self.countFailure(subject, now: now) }
        return nil
    }

    /// The attempt was right: failures at this account from there are forgotten, all other attempts are taken back.
    mutating func succeeded(_ subjects: [Subject]) {
        for subject in subjects {
            switch subject {
            case .login, .device: self.records[subject] = nil
            case .address, .account: self.uncount(subject)
            }
        }
    }

    /// The attempt was neither right nor wrong.
    mutating func abandoned(_ subjects: [Subject]) {
        for subject in subjects { self.uncount(subject) }
    }

    private mutating func countFailure(_ subject: Subject, now: Int64) {
        var record = self.records[subject] ?? Record(firstAttempt: now, lastAttempt: now)
        if subject.isOver(since: record.firstAttempt, record.lastAttempt, now: now) {
            record = Record(firstAttempt: now, lastAttempt: now)
        }
        record.failures += 1
        record.lastAttempt = now
        let excess = record.failures - subject.allowance
        if excess >= 0 {
            switch subject {
            case .device: record.blockedUntil = record.firstAttempt + Self.deviceSpan
            case .login, .address, .account:
                record.blockedUntil = now + min(Self.longestDelay, 1000 << Int64(min(excess, 20)))
            }
        }
        if self.records[subject] == nil { self.makeRoom(now: now) }
        self.records[subject] = record
    }

    private mutating func uncount(_ subject: Subject) {
        guard var record = self.records[subject] else { return }
        record.failures -= 1
        record.blockedUntil = 0
        self.records[subject] = record.failures > 0 ? record : nil
    }

    private mutating func makeRoom(now: Int64) {
        guard self.records.count >= self.capacity else { return }
        self.records = self.records.filter { now - $0.value.lastAttempt <= Self.memory }
        guard self.records.count >= self.capacity else { return }
        // Full of recent ones: those with the fewest failures are worth the least.
        let kept = self.records.sorted { $0.value.failures > $1.value.failures }.prefix(self.capacity / 2)
        self.records = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}

extension LoginSlowdown.Subject {
    /// Whether what was counted by then counts no more.
    fileprivate func isOver(since first: Int64, _ last: Int64, now: Int64) -> Bool {
        switch self {
        case .device: now - first >= LoginSlowdown.deviceSpan
        case .login, .address, .account: now - last > LoginSlowdown.memory
        }
    }
}

/// Counts failed logins and computes the delay before the next attempt.
///
/// Failures are counted for three subjects:
/// - an account together with an address, so that an attacker does not lock the owner out elsewhere;
/// - an address, for whatever accounts it tries;
/// - an account, from all addresses, with a limit that a legitimate user does not reach.
///
/// For a device that the account knows, only the device's own attempts count.
///
/// An attempt counts as failed from its start, so that a burst of simultaneous attempts gains nothing. Records are kept
/// in memory and are bounded. Names of accounts that do not exist count like the others.
struct LoginSlowdown {
    /// A subject whose failures are counted.
    enum Subject: Hashable {
        /// An account tried from one address; nil stands for all exempt addresses, which count as one.
        case login(account: String, address: String?)
        /// An address, for all accounts that it tries.
        case address(String)
        /// An account, tried from all addresses.
        case account(String)
        /// An account tried from a device that has sent `hello` for it.
        case device(account: String, key: String)

        /// The number of failures without a delay; for a device, within `deviceSpan`.
        ///
        /// The limit of an address is higher because several people may share it.
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
    /// The period after which a known device has its full allowance again, in milliseconds.
    static let deviceSpan: Int64 = 300_000
    /// Failures are forgotten after this many milliseconds without an attempt.
    static let memory: Int64 = 900_000

    private let capacity: Int
    private var records: [Subject: Record] = [:]

    /// Creates an empty counter of at most `capacity` subjects.
    init(capacity: Int = 100_000) { self.capacity = capacity }

    /// Starts an attempt, or returns the number of milliseconds to wait before it.
    mutating func begin(_ subjects: [Subject], now: Int64) -> Int64? {
        let wait = subjects.compactMap { self.records[$0]?.blockedUntil }.max().map { $0 - now } ?? 0
        guard wait <= 0 else { return wait }
        for subject in subjects { self.countFailure(subject, now: now) }
        return nil
    }

    /// Records that the attempt succeeded: failures of this login or device are forgotten, other counts of the attempt
    /// are undone.
    mutating func succeeded(_ subjects: [Subject]) {
        for subject in subjects {
            switch subject {
            case .login, .device: self.records[subject] = nil
            case .address, .account: self.uncount(subject)
            }
        }
    }

    /// Records that the attempt was neither right nor wrong.
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
        if self.records[subject] == nil { self.makeSpace(now: now) }
        self.records[subject] = record
    }

    private mutating func uncount(_ subject: Subject) {
        guard var record = self.records[subject] else { return }
        record.failures -= 1
        record.blockedUntil = 0
        self.records[subject] = record.failures > 0 ? record : nil
    }

    private mutating func makeSpace(now: Int64) {
        guard self.records.count >= self.capacity else { return }
        self.records = self.records.filter { now - $0.value.lastAttempt <= Self.memory }
        guard self.records.count >= self.capacity else { return }
        // The table is full of recent records: those with the fewest failures are worth the least.
        let kept = self.records.sorted { $0.value.failures > $1.value.failures }.prefix(self.capacity / 2)
        self.records = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}

extension LoginSlowdown.Subject {
    /// Whether failures counted between these times have expired.
    fileprivate func isOver(since first: Int64, _ last: Int64, now: Int64) -> Bool {
        switch self {
        case .device: now - first >= LoginSlowdown.deviceSpan
        case .login, .address, .account: now - last > LoginSlowdown.memory
        }
    }
}

/// For how long the server has said nothing, and whether it owes an answer; all in milliseconds.
struct ServerSilence {
    private let probeInterval: Int64
    private let limit: Int64
    /// When the server last answered anything.
    private var lastHeard: Int64 = 0
    /// The time since which the server owes a response; nil while it owes none.
    private var owedSince: Int64?

    /// Creates the silence of a server that was never heard.
    ///
    /// - Parameters:
    ///   - probeInterval: after so long an idle connection is asked for a sign of life.
    ///   - limit: who owes an answer for so long does not answer.
    init(probeInterval: Int64, limit: Int64) {
        self.probeInterval = probeInterval
        self.limit = limit
    }

    /// Whether the server owes an answer.
    var isOwed: Bool { self.owedSince != nil }

    /// When the server is to be asked for a sign of life.
    var nextProbe: Int64 { self.lastHeard + self.probeInterval }

    /// When a server that owes an answer does not answer any more; nil while it owes none.
    var end: Int64? { self.owedSince.map { max($0, self.lastHeard) + self.limit } }

    /// Whether it is time to ask for a sign of life.
    func isProbeDue(at now: Int64) -> Bool { self.nextProbe <= now }

    /// The server was asked for something.
    mutating func asked(at now: Int64) {
        if self.owedSince == nil { self.owedSince = now }
    }

    /// The server answered something.
    mutating func heard(at now: Int64) { self.lastHeard = now }

    /// Nothing is in flight any more.
    mutating func answeredAll() { self.owedSince = nil }
}

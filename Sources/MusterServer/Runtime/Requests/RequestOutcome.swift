import MusterCore
import MusterWire

/// The outcome of a request.
struct RequestOutcome<Answer: Encodable & Sendable>: Sendable {
    /// The reply to the caller.
    enum Reply: Sendable {
        /// The request was executed.
        case answer(Answer)
        /// The request failed, but the inputs and publications below apply nevertheless.
        case failure(FrameError)
        /// The world answers.
        case left
    }

    /// The reply to the caller, which is sent after the changes and the inputs have reached the live state.
    var reply: Reply
    /// The committed changes, which come first.
    var changes: [Change] = []
    /// The inputs that the world receives before any client is notified.
    var inputs: [WorldInput]
    /// The publications, which are sent before the reply.
    var publications: [Publication]

    /// Creates an outcome.
    init(
        _ reply: Reply,
        changes: [Change] = [],
        inputs: [WorldInput] = [],
        publications: [Publication] = []
    ) {
        self.reply = reply
        self.changes = changes
        self.inputs = inputs
        self.publications = publications
    }

    /// An executed request, with the inputs for the world.
    static func answer(_ answer: Answer, after inputs: [WorldInput] = []) -> Self {
        Self(.answer(answer), inputs: inputs)
    }

    /// An executed request that changed stored data.
    static func committed<Value>(_ result: Committed<Value>, answer: (Value) -> Answer) -> Self {
        Self(.answer(answer(result.value)), changes: result.changes)
    }

    /// A request that the world executes and answers.
    static func world(_ inputs: [WorldInput]) -> Self { Self(.left, inputs: inputs) }
}

extension RequestOutcome where Answer == NoAnswer {
    /// An executed request.
    static func done(after inputs: [WorldInput] = []) -> Self { .answer(NoAnswer(), after: inputs) }

    /// An executed request that changed stored data.
    static func done<Value>(_ result: Committed<Value>) -> Self { .committed(result) { _ in NoAnswer() } }
}

/// An outcome whose answer is encoded.
struct EncodedOutcome: Sendable {
    /// The frame for the caller; nil when there is none, or when the world answers.
    let frame: [UInt8]?
    /// The committed changes, which come first.
    let changes: [Change]
    /// The inputs for the world that precede the frame, with the publications.
    let inputs: [WorldInput]
    /// Whether the request was invalid or conflicts with the current state.
    ///
    /// Then nothing changed, and it does not count for the rate limit.
    let isRefused: Bool

    /// Encodes a failure.
    init(_ error: FrameError, for caller: Caller) {
        self.init(RequestOutcome<NoAnswer>(.failure(error)), for: caller)
    }

    /// Encodes an outcome for a caller: an answer only when the request has a tag, a failure always.
    init(_ outcome: RequestOutcome<some Encodable & Sendable>, for caller: Caller) {
        self.changes = outcome.changes
        self.inputs = outcome.inputs + outcome.publications.map { .publicationRequested($0) }
        if case .failure(let error) = outcome.reply {
            self.isRefused = error.code == .badRequest || error.code == .conflict
        } else {
            self.isRefused = false
        }
        switch outcome.reply {
        case .answer(let answer): self.frame = caller.tag.map { Frame.ok($0, answer).encoded }
        case .failure(let error): self.frame = ServerFrame.error(error.tagged(caller.tag)).encoded
        case .left: self.frame = nil
        }
    }

    /// The inputs to send to the world: those of the outcome, and the answer to `session` after them.
    func inputs(for session: SessionID, isAnswered: Bool) -> [WorldInput] {
        guard isAnswered, let frame else { return self.inputs }
        return self.inputs + [.answerRequested(PreparedAnswer(session: session, frame: frame))]
    }
}

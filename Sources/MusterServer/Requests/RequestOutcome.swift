package import MusterCore
package import MusterWire

/// What a handler made of a request.
package struct RequestOutcome<Answer: Encodable & Sendable>: Sendable {
    /// What the one who asks is told.
    package enum Reply: Sendable {
        /// It was done.
        case answer(Answer)
        /// It was not, but what is below happened all the same.
        case failure(FrameError)
        /// The world answers.
        case left
    }

    /// What the one who asks is told, once the world knows what is below.
    package var reply: Reply
    /// What the world must know before anybody is told.
    package var inputs: [WorldInput]
    /// Whom to tell what, before the one who asks.
    package var publications: [Publication]

    /// Creates an outcome.
    package init(_ reply: Reply, inputs: [WorldInput] = [], publications: [Publication] = []) {
        self.reply = reply
        self.inputs = inputs
        self.publications = publications
    }

    /// Nothing changed that the world must know, or only this.
    package static func answer(_ answer: Answer, after inputs: [WorldInput] = []) -> Self {
        Self(.answer(answer), inputs: inputs)
    }

    /// Groups changed.
    package static func answer(_ answer: Answer, after groups: [GroupSnapshot]) -> Self {
        Self(.answer(answer), inputs: groups.map { .groupChanged($0, answer: nil) })
    }

    /// It is for the world to do and to answer.
    package static func world(_ inputs: [WorldInput]) -> Self { Self(.left, inputs: inputs) }
}

extension RequestOutcome where Answer == NoAnswer {
    /// It was done.
    package static func done(after inputs: [WorldInput] = []) -> Self { .answer(NoAnswer(), after: inputs) }

    /// It was done, and groups changed.
    package static func done(after groups: [GroupSnapshot]) -> Self { .answer(NoAnswer(), after: groups) }
}

/// An outcome whose answer is encoded.
package struct EncodedOutcome: Sendable {
    /// The frame for the one who asks; nil when there is none, or the world answers.
    package let frame: [UInt8]?
    /// What the world must know, and whom it must tell, before.
    package let inputs: [WorldInput]
    /// Whether what was sent was no sense, or not what stands: nothing changed, and it does not count as having been done.
    package let isRefused: Bool

    /// Encodes a failure.
    init(_ error: FrameError, for caller: Caller) {
        self.init(RequestOutcome<NoAnswer>(.failure(error)), for: caller)
    }

    /// Encodes an outcome for a caller: an answer only when they marked the request, a failure always.
    init(_ outcome: RequestOutcome<some Encodable & Sendable>, for caller: Caller) {
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

    /// What to hand to the world: what it must know, and the answer to `session` behind it.
    ///
    /// The answer about a group goes with the group's change, so that the session is not told of it twice.
    func inputs(for session: SessionID, isAnswered: Bool) -> [WorldInput] {
        guard isAnswered, let frame else { return self.inputs }
        let answer = PreparedAnswer(session: session, frame: frame)
        if case .groupChanged(let snapshot, nil) = self.inputs.last {
            return self.inputs.dropLast() + [.groupChanged(snapshot, answer: answer)]
        }
        return self.inputs + [.answerRequested(answer)]
    }
}

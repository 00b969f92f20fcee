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

    /// Creates an outcome.
    package init(_ reply: Reply, inputs: [WorldInput] = []) {
        self.reply = reply
        self.inputs = inputs
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
    /// What the world must know before.
    package let inputs: [WorldInput]

    /// Encodes a failure.
    init(_ error: FrameError, for caller: Caller) {
        self.init(RequestOutcome<NoAnswer>(.failure(error)), for: caller)
    }

    /// Encodes an outcome for a caller: an answer only when they marked the request, a failure always.
    init(_ outcome: RequestOutcome<some Encodable & Sendable>, for caller: Caller) {
        self.inputs = outcome.inputs
        switch outcome.reply {
        case .answer(let answer): self.frame = caller.tag.map { Frame.ok($0, answer).encoded }
        case .failure(let error): self.frame = ServerFrame.error(error.tagged(caller.tag)).encoded
        case .left: self.frame = nil
        }
    }
}

import MusterCore

extension ServerFrame {
    /// The frame's JSON.
    package var encoded: [UInt8] {
        if case .ack(let acknowledgement) = self, acknowledgement.rejected.isEmpty { return acknowledgement.encoded }
        if case .live(.frame(let frame)) = self { return frame }
        var frame: [UInt8] = []
        // Room for what is sent all the time, `pong`, in one piece.
        frame.reserveCapacity(96)
        self.append(to: &frame)
        return frame
    }

    /// Appends the frame's JSON; `names` are written for the people and groups of gatherings and alerts.
    package func append(to frame: inout [UInt8], names: IdentityNames? = nil) {
        switch self {
        case .welcome(let welcome, let session, let at, let terms):
            welcome.append(to: &frame, session: session, at: at, terms: terms)
        case .error(let error): error.append(to: &frame)
        case .pong(let tag, let at):
            frame.append(json: #"{"type":"pong""#)
            frame.append(tag: tag)
            frame.append(json: #","at":"#)
            frame.append(time: at)
        case .goaway(let reason, let retryAfter, let jitter):
            frame.append(json: #"{"type":"goaway","reason":"#)
            frame.append(string: reason)
            frame.append(json: #","retryAfter":"#)
            frame.append(integer: retryAfter)
            frame.append(json: #","jitter":"#)
            frame.append(integer: jitter)
        case .ack(let acknowledgement): acknowledgement.append(to: &frame)
        case .resend(let after):
            frame.append(json: #"{"type":"resend","after":"#)
            frame.append(integer: after)
        case .selfMoved(let position):
            frame.append(json: #"{"type":"self","#)
            frame.append(position: position)
            frame.append(json: #","device":"#)
            frame.append(id: position.device)
        case .locate(let request, let group, let asker):
            frame.append(json: #"{"type":"locate","request":"#)
            frame.append(id: request)
            frame.append(json: #","group":"#)
            frame.append(id: group)
            frame.append(json: #","from":"#)
            frame.append(person: asker.id, name: asker.name)
        case .located(let request, let user, let position):
            frame.append(json: #"{"type":"located","request":"#)
            frame.append(id: request)
            frame.append(json: #","user":"#)
            frame.append(id: user)
            frame.append(json: ",")
            frame.append(position: position)
        case .locateExpired(let request):
            frame.append(json: #"{"type":"locate_expired","request":"#)
            frame.append(id: request)
        case .notification(let notification, let isLate):
            notification.append(to: &frame, isLate: isLate, names: names)
        case .live(let message):
            message.append(to: &frame)
            return
        case .glance(let glance): glance.append(to: &frame)
        case .gathering(let status, let group):
            frame.append(json: #"{"type":"gathering","group":"#)
            frame.append(group: group, names: names)
            frame.append(json: ",")
            frame.append(gathering: status, names: names)
        }
        frame.append(json: "}")
    }
}

extension Welcome {
    fileprivate func append(to frame: inout [UInt8], session: SessionID, at: Timestamp, terms: ServerTerms) {
        frame.append(json: #"{"type":"welcome""#)
        frame.append(tag: self.tag)
        frame.append(json: #","session":"#)
        frame.append(id: session)
        frame.append(json: #","user":{"id":"#)
        frame.append(id: self.user.id)
        frame.append(json: #","name":"#)
        frame.append(string: self.user.name)
        frame.append(json: #","avatar":"#)
        frame.append(string: self.user.avatar)
        frame.append(json: #"},"device":{"id":"#)
        frame.append(id: self.device)
        frame.append(json: #","ackedSeq":"#)
        frame.append(integer: self.acknowledgedSequence)
        frame.append(json: #"},"at":"#)
        frame.append(time: at)
        frame.append(json: #","tick":"#)
        frame.append(integer: terms.tick)
        frame.append(json: #","ping":"#)
        frame.append(integer: terms.ping)
        frame.append(json: #","limits":{"frameBytes":"#)
        frame.append(integer: terms.frameBytes)
        frame.append(json: #","fixesPerSecond":"#)
        frame.append(number: terms.fixesPerSecond)
        frame.append(json: #","fixesPerFrame":"#)
        frame.append(integer: terms.fixesPerFrame)
        frame.append(json: "}")
        guard let groups else { return }
        frame.append(json: #","groups":"#)
        frame.append(array: groups) { $0.append(group: $1) }
    }
}

extension FrameError {
    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"error""#)
        frame.append(tag: self.tag)
        frame.append(json: #","code":"#)
        frame.append(string: self.code.rawValue)
        frame.append(json: #","message":"#)
        frame.append(string: self.message)
        frame.append(json: #","retry":"#)
        frame.append(bool: self.code.mayRetry)
        if let retryAfter {
            frame.append(json: #","retryAfter":"#)
            frame.append(integer: retryAfter)
        }
        if let field {
            frame.append(json: #","field":"#)
            frame.append(string: field)
        }
        if let sequence {
            frame.append(json: #","seq":"#)
            frame.append(integer: sequence)
        }
        if let index {
            frame.append(json: #","index":"#)
            frame.append(integer: index)
        }
    }
}

extension Acknowledgement {
    /// The JSON of an `ack` that rejects nothing, in an array of just its length: one goes out for nearly every fix.
    fileprivate var encoded: [UInt8] {
        Array(jsonWithin: Self.room) { pen in
            self.writeHead(with: &pen)
            pen.write("[]}")
        }
    }

    /// Names and brackets take 35 bytes.
    private static let room = 40 + JSONPen.numberRoom

    private func writeHead(with pen: inout JSONPen) {
        pen.write(#"{"type":"ack","seq":"#)
        pen.write(integer: self.sequence)
        pen.write(#","rejected":"#)
    }

    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(jsonWithin: Self.room) { self.writeHead(with: &$0) }
        frame.append(array: self.rejected) { frame, rejection in
            frame.append(json: #"{"seq":"#)
            frame.append(integer: rejection.sequence)
            frame.append(json: #","reason":"#)
            frame.append(string: rejection.verdict.rawValue)
            frame.append(json: "}")
        }
    }
}

import MusterCore
import MusterWire

extension ServerFrame {
    /// The frame's JSON.
    package var encoded: [UInt8] {
        switch self {
        case .welcome(let welcome, let session, let at, let terms):
            Frame("welcome", welcome.tag, welcome.fields(session, at, terms)).encoded
        case .error(let error): Frame("error", error.tag, error.fields).encoded
        case .pong(let tag, let at): Self.pong(tag, at)
        case .goaway(let reason, let retryAfter, let jitter):
            Frame.encode("goaway", ["reason": reason, "retryAfter": retryAfter, "jitter": jitter])
        case .ack(let acknowledgement): acknowledgement.encoded
        case .resend(let after): Frame.encode("resend", ["after": after])
        case .selfMoved(let position): position.encoded
        case .locate(let request, let group, let asker):
            Frame.encode("locate", ["request": request, "group": group, "from": PersonView(asker)])
        case .located(let request, let user, let position):
            Frame("located", nil, ["request": request, "user": user] + position.fields).encoded
        case .locateExpired(let request): Frame.encode("locate_expired", ["request": request])
        case .notification(let notification, let isLate): notification.frame(isLate: isLate).encoded
        case .live(let message): message.encoded
        case .glance(let glance): Frame("glance", nil, glance.fields).encoded
        case .gathering(let status, let group): status.frame(of: group).encoded
        }
    }

    /// Encoded with one allocation, because it is sent very often.
    private static func pong(_ tag: RequestTag?, _ at: Timestamp) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(96)
        frame.append(json: #"{"type":"pong""#)
        frame.append(tag: tag)
        frame.append(json: #","at":"#)
        frame.append(time: at)
        frame.append(json: "}")
        return frame
    }
}

extension Welcome {
    fileprivate func fields(_ session: SessionID, _ at: Timestamp, _ terms: ServerTerms) -> FieldList {
        [
            "session": session,
            "user": [
                "id": self.user.id, "name": self.user.name, "avatar": Nullable(wrappedValue: self.user.avatar),
            ] as FieldList,
            "device": ["id": self.device, "ackedSeq": self.acknowledgedSequence] as FieldList,
            "at": at,
            "tick": terms.tick,
            "ping": terms.ping,
            "limits": [
                "frameBytes": terms.frameBytes, "fixesPerSecond": terms.fixesPerSecond,
                "fixesPerFrame": terms.fixesPerFrame,
            ] as FieldList,
            "groups": self.groups?.map(GroupView.init),
            "blocked": self.blocked,
        ]
    }
}

extension FrameError {
    fileprivate var fields: FieldList {
        let fields: FieldList = [
            "code": self.code.rawValue, "message": self.message, "retry": self.code.mayRetry,
            "retryAfter": self.retryAfter, "field": self.field, "seq": self.sequence, "index": self.index,
        ]
        guard let conflict else { return fields }
        return fields + FieldList([(conflict.field, EncodedJSON(bytes: conflict.json))])
    }
}

extension Acknowledgement {
    /// Encodes the frame `ack` in an array of the exact size, because one is sent for nearly every fix.
    fileprivate var encoded: [UInt8] {
        // Names and brackets use 48 bytes, and for a rejection or a dropped field 21. No verdict's name is longer than
        // `out_of_order`.
        let room = 48 + JSONWriter.numberCapacity
        let dropped = self.reduced.isEmpty ? 0 : self.reduced.reduce(0) { $0 + $1.dropped.names.count }
        return Array(jsonWithin: room + (self.rejected.count + dropped) * room) { writer in
            writer.write(#"{"type":"ack","seq":"#)
            writer.write(integer: self.sequence)
            writer.write(#","rejected":["#)
            for (index, rejection) in self.rejected.enumerated() {
                writer.write(index > 0 ? #",{"seq":"# : #"{"seq":"#)
                writer.write(integer: rejection.sequence)
                writer.write(#","reason":""#)
                writer.write(plain: rejection.verdict.rawValue)
                writer.write(#""}"#)
            }
            if dropped > 0 { self.writeDropped(with: &writer) }
            writer.write("]}")
        }
    }
}

extension Acknowledgement {
    /// Writes the dropped fields of accepted fixes, without the end of their list.
    private func writeDropped(with writer: inout JSONWriter) {
        writer.write(#"],"dropped":["#)
        var isFirst = true
        for fix in self.reduced {
            for field in fix.dropped.names {
                writer.write(isFirst ? #"{"seq":"# : #",{"seq":"#)
                isFirst = false
                writer.write(integer: fix.sequence)
                writer.write(#","field":""#)
                writer.write(plain: field)
                writer.write(#""}"#)
            }
        }
    }
}

extension SelfPosition {
    /// Encodes the frame `self`, which is sent for every fix of a user with several devices.
    fileprivate var encoded: [UInt8] {
        // Names and brackets use 65 bytes.
        Array(jsonWithin: 80 + 5 * JSONWriter.numberCapacity) { writer in
            writer.write(#"{"type":"self","#)
            writer.write(latitude: self.coordinate.latitude, longitude: self.coordinate.longitude)
            if let accuracy {
                writer.write(#","accuracy":"#)
                writer.write(number: accuracy)
            }
            writer.write(#","at":"#)
            writer.write(integer: self.at.milliseconds)
            writer.write(#","device":""#)
            writer.write(integer: self.device.rawValue)
            writer.write(#""}"#)
        }
    }

    fileprivate var fields: FieldList {
        self.coordinate.fields + ["accuracy": self.accuracy, "at": self.at]
    }
}

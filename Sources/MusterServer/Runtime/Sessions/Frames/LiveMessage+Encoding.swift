import MusterCore
import MusterWire

extension LiveMessage {
    /// The frame's JSON.
    package var encoded: [UInt8] {
        switch self {
        case .group(let group, let name, let settings):
            Frame.encode("group", ["group": ["id": group, "name": name, "settings": settings] as FieldList])
        case .sharing(let group, let terms):
            Frame.encode(
                "sharing",
                [
                    "group": group, "mode": terms.mode, "until": Nullable(wrappedValue: terms.until),
                    "then": terms.then, "pictures": terms.pictures,
                ]
            )
        case .seen(let numbers): Frame.encode("seen", ["notifications": numbers])
        case .spotChanged(let votes): Frame("spot_changed", nil, votes).encoded
        case .spotGone(let spot): Frame.encode("spot_gone", ["spot": spot])
        case .planChanged(let change):
            Frame.encode(
                "plan_changed",
                ["plan": change.plan, "group": change.group, "answers": PlanAnswersView(change.answers)]
            )
        case .newSpot(_, let frame), .frame(let frame): frame
        }
    }
}

extension [UInt8] {
    /// Returns a frame with one more field: the distance of its subject from the recipient in metres; nil omits the
    /// field.
    package func withDistance(_ metres: Double?) -> [UInt8] {
        guard let metres, let end = self.last else { return self }
        var frame: [UInt8] = []
        frame.reserveCapacity(self.count + 24)
        frame.append(contentsOf: self[..<(self.count - 1)])
        frame.append(json: #","distance":"#)
        frame.append(number: metres, decimals: 1)
        frame.append(end)
        return frame
    }
}

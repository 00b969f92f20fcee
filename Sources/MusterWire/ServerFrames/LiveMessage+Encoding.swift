package import MusterCore

extension LiveMessage {
    /// Appends the frame's JSON.
    package func append(to frame: inout [UInt8]) {
        switch self {
        case .group(let group, let name, let settings):
            frame.append(json: #"{"type":"group","group":{"id":"#)
            frame.append(id: group)
            frame.append(json: #","name":"#)
            frame.append(string: name)
            frame.append(json: #","settings":"#)
            frame.append(settings: settings)
            frame.append(json: "}}")
        case .sharing(let group, let mode, let until):
            frame.append(json: #"{"type":"sharing","group":"#)
            frame.append(id: group)
            frame.append(json: ",")
            frame.append(mode: mode, until: until)
            frame.append(json: "}")
        case .seen(let numbers):
            frame.append(json: #"{"type":"seen","notifications":"#)
            frame.append(array: numbers) { $0.append(integer: $1) }
            frame.append(json: "}")
        case .newSpot(_, let bytes): frame += bytes
        case .spotChanged(let votes):
            frame.append(json: #"{"type":"spot_changed","spot":"#)
            frame.append(id: votes.spot)
            frame.append(json: #","likes":"#)
            frame.append(integer: votes.likes)
            frame.append(json: #","dislikes":"#)
            frame.append(integer: votes.dislikes)
            frame.append(json: "}")
        case .spotGone(let spot):
            frame.append(json: #"{"type":"spot_gone","spot":"#)
            frame.append(id: spot)
            frame.append(json: "}")
        case .frame(let bytes): frame += bytes
        }
    }
}

extension [UInt8] {
    /// A frame with one field more: how far what it tells is from the person who is told, in metres; nil leaves it out.
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

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
        case .frame(let bytes): frame += bytes
        }
    }
}

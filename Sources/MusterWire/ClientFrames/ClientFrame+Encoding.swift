import MusterCore

extension ClientFrame {
    /// The frame's JSON.
    package var encoded: [UInt8] {
        var frame: [UInt8] = []
        self.append(to: &frame)
        return frame
    }

    /// Appends the frame's JSON; of a batch only the good fixes, because a malformed one has no form.
    package func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"#)
        frame.append(string: self.type.rawValue)
        frame.append(tag: self.tag)
        switch self {
        case .hello(let hello): hello.append(to: &frame)
        case .ping, .groupList: break
        case .state(_, let isForeground):
            frame.append(json: isForeground ? #","state":"foreground""# : #","state":"background""#)
        case .location(_, let fix):
            frame.append(json: ",")
            frame.append(fix: fix)
        case .locations(_, let batch):
            frame.append(json: #","fixes":"#)
            frame.append(array: batch.fixes) { frame, fix in
                frame.append(json: "{")
                frame.append(fix: fix)
                frame.append(json: "}")
            }
        case .groupCreate(_, let name, let settings):
            frame.append(#","name":"#, text: name)
            frame.append(patch: settings)
        case .groupUpdate(_, let group, let name, let settings):
            frame.append(#","group":"#, id: group)
            frame.append(#","name":"#, text: name)
            frame.append(patch: settings)
        case .groupInvite(_, let group, let expiresIn, let uses):
            frame.append(#","group":"#, id: group)
            frame.append(#","expiresIn":"#, integer: expiresIn)
            frame.append(#","uses":"#, integer: uses)
        case .groupRevoke(_, let code), .groupJoin(_, let code): frame.append(#","code":"#, text: code)
        case .groupLeave(_, let group), .groupDelete(_, let group): frame.append(#","group":"#, id: group)
        case .groupRemove(_, let group, let user), .locate(_, let group, let user):
            frame.append(#","group":"#, id: group)
            frame.append(#","user":"#, id: user)
        case .sharingSet(_, let mode, let group, let until):
            frame.append(#","mode":"#, text: mode.rawValue)
            frame.append(#","group":"#, id: group)
            frame.append(#","until":"#, integer: until?.milliseconds)
        case .seen(_, .upTo(let number)): frame.append(#","upTo":"#, integer: number)
        case .seen(_, .numbers(let numbers)):
            frame.append(json: #","notifications":"#)
            frame.append(array: numbers) { $0.append(integer: $1) }
        case .spotAdd(_, let draft):
            frame.append(point: draft.coordinate)
            frame.append(#","comment":"#, text: draft.comment)
            frame.append(#","category":"#, text: draft.category)
        case .spotVote(_, let spot, let vote):
            frame.append(#","spot":"#, id: spot)
            frame.append(#","vote":"#, text: vote.rawValue)
        case .spotDelete(_, let spot): frame.append(#","spot":"#, id: spot)
        case .spotsNearby(_, let search):
            frame.append(point: search.center)
            frame.append(json: #","radius":"#)
            frame.append(number: search.radius)
            frame.append(#","limit":"#, integer: search.limit)
            frame.append(#","category":"#, text: search.category)
        case .spotsAll(_, let limit, let after):
            frame.append(#","limit":"#, integer: limit)
            frame.append(#","after":"#, id: after)
        }
        frame.append(json: "}")
    }

    private var type: ClientFrameType {
        switch self {
        case .hello: .hello
        case .ping: .ping
        case .state: .state
        case .location: .location
        case .locations: .locations
        case .groupCreate: .groupCreate
        case .groupList: .groupList
        case .groupUpdate: .groupUpdate
        case .groupInvite: .groupInvite
        case .groupRevoke: .groupRevoke
        case .groupJoin: .groupJoin
        case .groupLeave: .groupLeave
        case .groupRemove: .groupRemove
        case .groupDelete: .groupDelete
        case .sharingSet: .sharingSet
        case .locate: .locate
        case .seen: .seen
        case .spotAdd: .spotAdd
        case .spotVote: .spotVote
        case .spotDelete: .spotDelete
        case .spotsNearby: .spotsNearby
        case .spotsAll: .spotsAll
        }
    }
}

extension Hello {
    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(#","token":"#, text: self.token)
        frame.append(json: #","device":{"key":"#)
        frame.append(string: self.device.key)
        frame.append(#","name":"#, text: self.device.name)
        frame.append(#","kind":"#, text: self.device.kind.rawValue)
        frame.append(json: "}")
        guard !self.resume.isEmpty || self.heldNotification > 0 else { return }
        frame.append(json: #","resume":{"groups":{"#)
        for (group, held) in self.resume.sorted(by: { $0.key < $1.key }) {
            frame.separateFromPrevious()
            frame.append(id: group)
            frame.append(json: #":{"epoch":"#)
            frame.append(string: held.epoch)
            frame.append(json: #","version":"#)
            frame.append(integer: held.version)
            frame.append(json: "}")
        }
        frame.append(json: #"},"notification":"#)
        frame.append(integer: self.heldNotification)
        frame.append(json: "}")
    }
}

extension [UInt8] {
    /// Appends a fix's fields without braces.
    fileprivate mutating func append(fix: Fix) {
        self.append(json: #""seq":"#)
        self.append(integer: fix.sequence)
        self.append(json: ",")
        self.append(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
        self.append(#","accuracy":"#, number: fix.accuracy)
        self.append(#","at":"#, integer: fix.at?.milliseconds)
        self.append(#","altitude":"#, number: fix.altitude)
        self.append(#","speed":"#, number: fix.speed)
        self.append(#","course":"#, number: fix.course)
        self.append(#","battery":"#, number: fix.battery)
        self.append(#","trigger":"#, text: fix.trigger?.rawValue)
        self.append(#","answer":"#, id: fix.answer)
    }

    fileprivate mutating func append(point: Coordinate) {
        self.append(json: ",")
        self.append(latitude: point.latitude, longitude: point.longitude)
    }

    fileprivate mutating func append(patch: GroupSettingsPatch) {
        guard !patch.isEmpty else { return }
        self.append(json: #","settings":{"#)
        if let radius = patch.radius {
            self.append(json: #""radius":"#)
            self.append(number: radius)
        }
        for (name, value) in [
            ("dwell", patch.dwell), ("maxAbsent", patch.maxAbsent), ("cooldown", patch.cooldown),
        ] {
            guard let value else { continue }
            self.separateFromPrevious()
            self.append(string: name)
            self.append(json: ":")
            self.append(integer: value)
        }
        self.append(json: "}")
    }

    fileprivate mutating func append(_ name: StaticString, text: String?) {
        guard let text else { return }
        self.append(json: name)
        self.append(string: text)
    }

    fileprivate mutating func append(_ name: StaticString, integer: (some FixedWidthInteger)?) {
        guard let integer else { return }
        self.append(json: name)
        self.append(integer: integer)
    }

    fileprivate mutating func append<Subject>(_ name: StaticString, id: Identifier<Subject>?) {
        guard let id else { return }
        self.append(json: name)
        self.append(id: id)
    }
}

import CMusterShims
import MusterCore

extension ClientFrame {
    /// Decodes a frame of the type `word`, except `location`, which is decoded before.
    init(
        reading fields: JSONFields,
        type word: String,
        tag: RequestTag?,
        requests: RequestCatalog
    ) throws(FrameError) {
        switch word {
        case "hello": self = .hello(try Hello(reading: fields, tag: tag))
        case "ping": self = .ping(tag)
        case "state": self = .state(tag, isForeground: try fields.appState() == .foreground)
        case "locations": self = .locations(tag, try FixBatch(reading: fields))
        case "seen": self = .seen(tag, try SeenNotifications(reading: fields))
        case _: self = .request(tag, try requests.read(word, from: fields))
        }
    }
}

/// The values of a `state` frame.
private enum AppState: String, CaseIterable {
    case foreground
    case background
}

extension JSONFields {
    fileprivate func appState() throws(FrameError) -> AppState {
        try self.required("state", self.choice("state"))
    }
}

extension Hello {
    fileprivate init(reading fields: JSONFields, tag: RequestTag?) throws(FrameError) {
        let token = try fields.required("token", fields.string("token", length: 1...512))
        let device = try fields.required("device", fields.object("device"))
        let key = try device.required("key", device.string("key", length: 1...64))
        let name = try device.text("name", .privateLine(0...80))
        let kind: DeviceKind = try device.required("kind", device.choice("kind"))
        self.init(
            tag: tag,
            token: token,
            device: Device(key: key, name: name?.isEmpty == true ? nil : name, kind: kind)
        )
        guard let resume = try fields.object("resume") else { return }
        self.knownNotification = try resume.integer("notification", in: 0...JSONScalar.greatestInteger) ?? 0
        try resume.object("groups")?.readEach { (name, value) throws(FrameError) in
            guard let group = GroupID(name), let known = JSONFields(value, path: "resume.groups.\(name).") else {
                throw resume.error("groups", "must be an object that maps ids to objects")
            }
            self.resume[group] = RosterVersion(
                epoch: try known.required("epoch", known.string("epoch", length: 1...64)),
                version: UInt64(try known.required("version", known.integer("version", in: 0...Int64.max)))
            )
        }
        guard let rooms = try resume.object("rooms") else { return }
        var positions: [RoomID: RoomPosition] = [:]
        try rooms.readEach { (name, value) throws(FrameError) in
            guard let room = RoomID(name), let known = JSONFields(value, path: "resume.rooms.\(name).") else {
                throw resume.error("rooms", "must be an object that maps ids to objects")
            }
            positions[room] = RoomPosition(
                epoch: try known.required("epoch", known.string("epoch", length: 1...64)),
                version: try known.required("version", known.integer("version", in: 0...Int64.max)),
                read: try known.integer("read", in: 0...Int64.max) ?? 0
            )
        }
        self.rooms = positions
    }
}

extension FixBatch {
    /// Decodes the field `fixes`.
    ///
    /// Each fix is valid or malformed independently of the others.
    package init(reading fields: JSONFields) throws(FrameError) {
        let value = fields.value("fixes")
        guard JSONScalar(value).kind == MUSTER_JSON_ARRAY else {
            throw fields.error("fixes", "must be an array of fixes")
        }
        let count = muster_json_count(value)
        guard count <= Self.maximumCount else {
            throw FrameError(
                .tooLarge,
                message: "fixes must contain at most \(Self.maximumCount) fixes.",
                field: "fixes"
            )
        }
        self.init(fixes: [])
        self.fixes.reserveCapacity(count)
        var cursor = muster_json_begin(value)
        var element = muster_json_value()
        var index = 0
        while muster_json_next_element(&cursor, &element) {
            self.add(element, at: index)
            index += 1
        }
    }

    private mutating func add(_ element: muster_json_value, at index: Int) {
        guard JSONScalar(element).kind == MUSTER_JSON_OBJECT else {
            let message = "fixes must be an array of objects."
            self.malformed.append(FrameError(.badFix, message: message, field: "fixes", index: index))
            return
        }
        do throws(FrameError) {
            self.fixes.append(try FixReader(muster_json_find_fix(element)).read())
        } catch {
            var malformed = error
            malformed.index = index
            self.malformed.append(malformed)
        }
    }
}

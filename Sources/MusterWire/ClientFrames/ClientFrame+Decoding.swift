import CMusterShims
import MusterCore

extension ClientFrame {
    /// Reads the fields of a frame of a known type; `location` has been read before.
    init(reading fields: JSONFields, type: ClientFrameType, tag: RequestTag?) throws(FrameError) {
        switch type {
        case .hello: self = .hello(try Hello(reading: fields, tag: tag))
        case .ping: self = .ping(tag)
        case .state: self = .state(tag, isForeground: try fields.appState() == .foreground)
        case .location: preconditionFailure("a location is read before its type is looked up")
        case .locations: self = .locations(tag, try FixBatch(reading: fields))
        case .groupCreate:
            self = .groupCreate(
                tag,
                name: try fields.required("name", fields.line("name", length: 1...80)),
                settings: try GroupSettingsPatch(reading: fields)
            )
        case .groupList: self = .groupList(tag)
        case .groupUpdate:
            self = .groupUpdate(
                tag,
                try fields.group(),
                name: try fields.line("name", length: 1...80),
                settings: try GroupSettingsPatch(reading: fields)
            )
        case .groupInvite:
            self = .groupInvite(
                tag,
                try fields.group(),
                expiresIn: try fields.integer("expiresIn", in: 1...31_536_000),
                uses: try fields.integer("uses", in: 1...10_000)
            )
        case .groupRevoke: self = .groupRevoke(tag, code: try fields.code())
        case .groupJoin: self = .groupJoin(tag, code: try fields.code())
        case .groupLeave: self = .groupLeave(tag, try fields.group())
        case .groupRemove: self = .groupRemove(tag, try fields.group(), try fields.user())
        case .groupDelete: self = .groupDelete(tag, try fields.group())
        case .sharingSet:
            self = .sharingSet(
                tag,
                try fields.required("mode", fields.choice("mode")),
                try fields.identifier("group"),
                until: try fields.timestamp("until")
            )
        case .locate: self = .locate(tag, try fields.group(), try fields.user())
        case .seen: self = .seen(tag, try SeenNotifications(reading: fields))
        case .spotAdd: self = .spotAdd(tag, try SpotDraft(reading: fields))
        case .spotVote:
            self = .spotVote(tag, try fields.spot(), try fields.required("vote", fields.choice("vote")))
        case .spotDelete: self = .spotDelete(tag, try fields.spot())
        case .spotsNearby: self = .spotsNearby(tag, try SpotSearch(reading: fields))
        case .spotsAll: self = .spotsAll(tag, limit: try fields.spotLimit(), after: try fields.identifier("after"))
        }
    }
}

/// The words of a `state` frame.
private enum AppState: String, CaseIterable {
    case foreground
    case background
}

extension JSONFields {
    fileprivate func appState() throws(FrameError) -> AppState {
        try self.required("state", self.choice("state"))
    }

    fileprivate func group() throws(FrameError) -> GroupID { try self.required("group", self.identifier("group")) }

    fileprivate func user() throws(FrameError) -> UserID { try self.required("user", self.identifier("user")) }

    fileprivate func spot() throws(FrameError) -> SpotID { try self.required("spot", self.identifier("spot")) }

    fileprivate func spotLimit() throws(FrameError) -> Int {
        try self.required("limit", self.integer("limit", in: SpotSearch.limitRange))
    }

    fileprivate func category() throws(FrameError) -> String? {
        try self.line("category", length: 1...Spot.longestCategory)
    }

    fileprivate func coordinate() throws(FrameError) -> Coordinate {
        Coordinate(
            latitude: try self.required("lat", self.number("lat", in: -90...90)),
            longitude: try self.required("lon", self.number("lon", in: -180...180))
        )
    }

    fileprivate func code() throws(FrameError) -> String {
        try self.required("code", self.string("code", length: 1...64))
    }
}

extension Hello {
    fileprivate init(reading fields: JSONFields, tag: RequestTag?) throws(FrameError) {
        let token = try fields.required("token", fields.string("token", length: 1...512))
        let device = try fields.required("device", fields.object("device"))
        let key = try device.required("key", device.string("key", length: 1...64))
        let name = try device.line("name", length: 0...80)
        let kind: DeviceKind = try device.required("kind", device.choice("kind"))
        self.init(
            tag: tag,
            token: token,
            device: Device(key: key, name: name?.isEmpty == true ? nil : name, kind: kind)
        )
        guard let resume = try fields.object("resume") else { return }
        self.heldNotification = try resume.integer("notification", in: 0...JSONScalar.greatestInteger) ?? 0
        try resume.object("groups")?.readEach { (name, value) throws(FrameError) in
            guard let group = GroupID(name), let held = JSONFields(value, path: "resume.groups.\(name).") else {
                throw resume.error("groups", "must map ids to objects")
            }
            self.resume[group] = RosterVersion(
                epoch: try held.required("epoch", held.string("epoch", length: 1...64)),
                version: UInt64(try held.required("version", held.integer("version", in: 0...Int64.max)))
            )
        }
    }
}

extension GroupSettingsPatch {
    /// Reads the field `settings`.
    init(reading fields: JSONFields) throws(FrameError) {
        self.init()
        guard let settings = try fields.object("settings") else { return }
        self.radius = try settings.number("radius", in: Self.radiusRange)
        self.dwell = try settings.integer("dwell", in: Self.dwellRange)
        self.maxAbsent = try settings.integer("maxAbsent", in: Self.maxAbsentRange)
        self.cooldown = try settings.integer("cooldown", in: Self.cooldownRange)
    }
}

extension SpotDraft {
    fileprivate init(reading fields: JSONFields) throws(FrameError) {
        let comment = try fields.text("comment", length: 1...Spot.longestComment)
        self.init(
            coordinate: try fields.coordinate(),
            comment: try fields.required("comment", comment),
            category: try fields.category()
        )
        guard JSONScalar(fields.value("photo")).isMissing else {
            throw fields.error("photo", "cannot be given, because this server keeps no photos")
        }
    }
}

extension SpotSearch {
    fileprivate init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            center: try fields.coordinate(),
            radius: try fields.required("radius", fields.number("radius", in: Self.radiusRange)),
            limit: try fields.spotLimit(),
            category: try fields.category()
        )
    }
}

extension FixBatch {
    /// Reads the field `fixes`, where each fix is good or malformed by itself.
    init(reading fields: JSONFields) throws(FrameError) {
        let value = fields.value("fixes")
        guard JSONScalar(value).kind == MUSTER_JSON_ARRAY else {
            throw fields.error("fixes", "must be an array of fixes")
        }
        let count = muster_json_count(value)
        guard count <= Self.maximumCount else {
            throw FrameError(
                .tooLarge,
                message: "fixes must hold at most \(Self.maximumCount) fixes.",
                field: "fixes"
            )
        }
        self.init(fixes: [])
        self.fixes.reserveCapacity(count)
        var cursor = muster_json_begin(value)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) { self.add(element) }
    }

    private mutating func add(_ element: muster_json_value) {
        guard JSONScalar(element).kind == MUSTER_JSON_OBJECT else {
            self.malformed.append(Malformed(sequence: nil, reason: "A fix must be an object.", field: nil))
            return
        }
        do throws(Malformed) {
            self.fixes.append(try FixReader(muster_json_find_fix(element)).read())
        } catch {
            self.malformed.append(error)
        }
    }
}

import CMusterShims
import MusterCore

/// A decoder of trace lines.
///
/// Each thread needs its own, because it reuses its memory for each line.
package final class TraceDecoder {
    /// The number of readable bytes that must follow the input.
    package static let padding = FrameDecoder.padding
    /// The maximum number of members of a group.
    package static let memberLimit = 250

    private static let nameLength = 1...256

    private let parser = JSONParser()

    /// Creates a decoder.
    package init() {}

    /// Decodes one line.
    ///
    /// At least `padding` readable bytes must follow its end.
    ///
    /// A fix follows the rules of the wire (`public/docs/protocol.md#report-a-fix`), except that `at` is required and
    /// `seq` is optional.
    package func decode(_ line: UnsafeRawBufferPointer) throws(FrameError) -> TraceLine {
        let root = try self.parser.parse(padded: line)
        guard let fields = JSONFields(root) else {
            throw FrameError(.badRequest, message: "A line must be a JSON object.")
        }
        if let group = try fields.object("group") { return .group(try Self.group(group)) }
        if let place = try fields.object("place") { return .place(try Self.place(place)) }
        if let truth = try fields.object("truth") { return .truth(try TraceTruth(reading: truth)) }
        let user = try fields.required("user", try fields.string("user", length: Self.nameLength))
        let at = try fields.required("at", try fields.timestamp("at"))
        let receivedAt = try fields.timestamp("receivedAt")
        if let mode: Sharing.Mode = try fields.choice("sharing") {
            return .sharing(
                TraceLine.Choice(
                    user: user,
                    at: at,
                    receivedAt: receivedAt,
                    group: try fields.string("group", length: Self.nameLength),
                    mode: mode,
                    until: try fields.timestamp("until")
                )
            )
        }
        let device = try fields.string("device", length: Self.nameLength) ?? ""
        let kind: DeviceKind? = try fields.choice("kind")
        let fix = try FixReader(muster_json_find_fix(root)).read(orNumber: 0)
        return .fix(TraceLine.Report(user: user, device: device, kind: kind, receivedAt: receivedAt, fix: fix))
    }

    private static func group(_ fields: JSONFields) throws(FrameError) -> TraceLine.Group {
        let id = try fields.required("id", try fields.string("id", length: Self.nameLength))
        return TraceLine.Group(
            id: id,
            name: try fields.string("name", length: 1...80),
            members: try Self.names(fields.value("members"), of: "members", in: fields),
            settings: try GroupSettingsPatch(reading: fields)
        )
    }

    private static func place(_ fields: JSONFields) throws(FrameError) -> TraceLine.Place {
        var notify: [TraceLine.Place.Choice] = []
        if let choices = try fields.object("notify") {
            try choices.readEach { (user, value) throws(FrameError) in
                notify.append(TraceLine.Place.Choice(user: user, to: try Self.names(value, of: "notify", in: fields)))
            }
        }
        return TraceLine.Place(
            id: try fields.required("id", try fields.string("id", length: Self.nameLength)),
            group: try fields.required("group", try fields.string("group", length: Self.nameLength)),
            name: try fields.string("name", length: 1...60),
            coordinate: try fields.coordinate(),
            radius: try fields.required("radius", try fields.number("radius", in: GroupPlace.radii)),
            notify: notify
        )
    }

    /// Returns an array of 1 to 250 different names.
    private static func names(
        _ value: muster_json_value,
        of field: StaticString,
        in fields: JSONFields
    ) throws(FrameError) -> [String] {
        guard JSONScalar(value).kind == MUSTER_JSON_ARRAY, 1...Self.memberLimit ~= muster_json_count(value) else {
            throw fields.error(field, "must be an array of 1 to \(Self.memberLimit) names")
        }
        var names: [String] = []
        var cursor = muster_json_begin(value)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            guard let name = JSONScalar(element).string, Self.nameLength ~= name.unicodeScalars.count else {
                throw fields.error(field, "must contain strings of \(Self.nameLength) characters")
            }
            guard !names.contains(name) else { throw fields.error(field, "must not contain a name twice") }
            names.append(name)
        }
        return names
    }
}

@available(*, unavailable)
extension TraceDecoder: Sendable {}

extension TraceTruth {
    fileprivate init(reading fields: JSONFields) throws(FrameError) {
        let group = try fields.required("group", try fields.string("group", length: 1...256))
        if let begin = try fields.timestamp("day") {
            self = .day(
                group: group,
                begin: begin,
                story: try fields.required("story", try fields.string("story", length: 1...80)),
                people: try fields.required("people", try fields.integer("people", in: 1...250))
            )
        } else {
            self = .left(
                group: group,
                user: try fields.required("user", try fields.string("user", length: 1...256)),
                try fields.required("variant", try fields.choice("variant")),
                from: try fields.required("from", try fields.timestamp("from")),
                until: try fields.required("until", try fields.timestamp("until"))
            )
        }
    }
}

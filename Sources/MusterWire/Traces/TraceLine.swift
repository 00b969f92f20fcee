package import MusterCore

/// A line of a recorded trace.
///
/// Users, groups and devices have the trace's own names.
package enum TraceLine: Sendable, Equatable {
    /// The state of a group from here on.
    case group(Group)
    /// A place of a group from here on.
    case place(Place)
    /// A device reported a fix.
    case fix(Report)
    /// A user changed a sharing setting.
    case sharing(Choice)
    /// The ground truth of a generated trace. A replay ignores it.
    case truth(TraceTruth)

    /// `{"group":{"id":…,"members":[…],"settings":{…}}}`.
    package struct Group: Sendable, Equatable {
        package var id: String
        /// The display name; the id if the trace contains none.
        package var name: String
        package var members: [String]
        /// The settings that differ from the defaults.
        package var settings: GroupSettingsPatch

        /// Creates a line.
        package init(id: String, name: String? = nil, members: [String], settings: GroupSettingsPatch) {
            self.id = id
            self.name = name ?? id
            self.members = members
            self.settings = settings
        }
    }

    /// `{"place":{"id":…,"group":…,"name":…,"lat":…,"lon":…,"radius":…,"notify":{"a":["b"]}}}`.
    package struct Place: Sendable, Equatable {
        /// The members whom a member notifies.
        package struct Choice: Sendable, Equatable {
            package var user: String
            package var to: [String]

            /// Creates a choice.
            package init(user: String, to: [String]) {
                self.user = user
                self.to = to
            }
        }

        package var id: String
        package var group: String
        package var name: String
        package var coordinate: Coordinate
        /// The radius in metres.
        package var radius: Double
        package var notify: [Choice]

        /// Creates a line.
        package init(
            id: String,
            group: String,
            name: String? = nil,
            coordinate: Coordinate,
            radius: Double,
            notify: [Choice]
        ) {
            self.id = id
            self.group = group
            self.name = name ?? id
            self.coordinate = coordinate
            self.radius = radius
            self.notify = notify
        }
    }

    /// `{"user":…,"at":…,"lat":…,"lon":…,…}`.
    package struct Report: Sendable, Equatable {
        package var user: String
        /// The user's device; empty if the trace contains none.
        package var device: String
        /// The kind of the device; nil if the trace contains none.
        package var kind: DeviceKind?
        /// The time of arrival; nil if the trace contains none.
        package var receivedAt: Timestamp?
        /// The fix.
        ///
        /// Its sequence number is 0 if the trace contains none.
        package var fix: Fix

        /// Creates a line.
        package init(
            user: String,
            device: String = "",
            kind: DeviceKind? = nil,
            receivedAt: Timestamp? = nil,
            fix: Fix
        ) {
            self.user = user
            self.device = device
            self.kind = kind
            self.receivedAt = receivedAt
            self.fix = fix
        }
    }

    /// `{"user":…,"at":…,"sharing":…}`.
    package struct Choice: Sendable, Equatable {
        package var user: String
        package var at: Timestamp
        /// The time of arrival; nil if the trace contains none.
        package var receivedAt: Timestamp?
        /// The group; nil for all groups of the user.
        package var group: String?
        package var mode: Sharing.Mode
        /// The time when sharing returns to `live`; nil for no automatic return.
        package var until: Timestamp?

        /// Creates a line.
        package init(
            user: String,
            at: Timestamp,
            receivedAt: Timestamp? = nil,
            group: String? = nil,
            mode: Sharing.Mode,
            until: Timestamp? = nil
        ) {
            self.user = user
            self.at = at
            self.receivedAt = receivedAt
            self.group = group
            self.mode = mode
            self.until = until
        }
    }
}

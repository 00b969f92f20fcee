package import MusterCore

/// One line of a recorded trace, with the names that the trace itself uses for people, groups and devices.
package enum TraceLine: Sendable, Equatable {
    /// A group as it is from here on.
    case group(Group)
    /// A device reported where it is.
    case fix(Report)
    /// A person changed what they let others see.
    case sharing(Choice)
    /// What really happened, in a trace that was generated; the replay itself does not look at it.
    case truth(TraceTruth)

    /// `{"group":{"id":…,"members":[…],"settings":{…}}}`.
    package struct Group: Sendable, Equatable {
        package var id: String
        /// What people call it; the id when the trace does not say.
        package var name: String
        package var members: [String]
        /// Settings that differ from the defaults.
        package var settings: GroupSettingsPatch

        /// Creates a line.
        package init(id: String, name: String? = nil, members: [String], settings: GroupSettingsPatch) {
            self.id = id
            self.name = name ?? id
            self.members = members
            self.settings = settings
        }
    }

    /// `{"user":…,"at":…,"lat":…,"lon":…,…}`.
    package struct Report: Sendable, Equatable {
        package var user: String
        /// Which device of theirs; empty when the trace does not say.
        package var device: String
        /// What that device is; nil when the trace does not say.
        package var kind: DeviceKind?
        /// When it arrived; nil when the trace does not say.
        package var receivedAt: Timestamp?
        /// The fix; its number is 0 when the trace does not say.
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
        /// When it arrived; nil when the trace does not say.
        package var receivedAt: Timestamp?
        /// The group that it is about; nil for all of the person's groups.
        package var group: String?
        package var mode: Sharing.Mode
        /// When sharing returns to `live`; nil means never by itself.
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

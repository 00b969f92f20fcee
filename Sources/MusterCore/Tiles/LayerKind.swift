/// A kind of map layer: the permitted users, the source of its points, their fields, and the naming of its clusters.
///
/// One rule holds for all kinds: *a user who may see a layer may see every point in it*. So counts need no filter and
/// reveal nothing. Data for fewer people goes into a narrower layer, or enters at lower precision.
package struct LayerKind: Sendable {
    /// The users who may see a layer, and with that the number of layers of the kind.
    package enum Audience: Sendable, Equatable {
        /// One layer for all users; over HTTP without a login.
        case anybody
        /// One layer for all users with an account.
        case people
        /// One layer per group, for its members.
        case members
    }

    /// The source of the points.
    package enum Source: Sendable, Equatable {
        /// Storage: loaded at the start, and updated by requests after each commit.
        case storage
        /// The roster of the layer's group, while a session is subscribed.
        case roster
        /// The events of the layer's group, after the first subscription.
        case events
    }

    /// A named field of a single point, of the form `text` by default.
    package struct Field: Sendable, Equatable, ExpressibleByStringLiteral {
        /// The type of a value in the encoded feature; the point stores each value as a text.
        enum Form: Sendable {
            case text
            case number
            case flag
        }

        package let name: String
        let form: Form

        /// Creates a field.
        init(_ name: String, _ form: Form) {
            self.name = name
            self.form = form
        }

        package init(stringLiteral name: String) { self.init(name, .text) }
    }

    /// The number of the kind in topics and caches; never reused.
    package let number: UInt8
    /// The name in the protocol; the layer of a group has the group's id after it, as in `group:81`.
    package let name: String
    package let audience: Audience
    package let source: Source
    /// The naming of clusters, chosen so that a name stays the same while the cluster does.
    package let naming: ClusterNaming
    /// The prefix of a point's id in the id of its feature, as in `s:501`.
    package let prefix: String
    /// The fields of a single point besides its id, in this order.
    package let fields: [Field]
}

/// A kind of map layer: who may watch it, where its points come from, what one carries, and how clusters are named.
///
/// One law holds for all: *whoever may watch a layer may see every point in it*. So counts need no filter and betray nobody;
/// what fewer people may see goes into a narrower layer, or enters coarser.
package struct LayerKind: Sendable {
    /// Who may watch, and so how many layers of the kind there are.
    package enum Audience: Sendable, Equatable {
        /// One layer for everybody; over HTTP without a login.
        case anybody
        /// One layer for everybody who has an account.
        case people
        /// A layer a group, for its members.
        case members
    }

    /// Where points come from.
    package enum Source: Sendable, Equatable {
        /// Storage: read at the start, and told by requests after each commit.
        case storage
        /// The roster of the layer's group, while somebody watches.
        case roster
        /// The events of the layer's group, once somebody watches.
        case events
    }

    /// What a single point carries under a name; a text when nothing else is said.
    package struct Field: Sendable, Equatable, ExpressibleByStringLiteral {
        /// What a value is written as; each is handed over as a text.
        package enum Form: Sendable {
            case text
            case number
            case flag
        }

        package let name: String
        package let form: Form

        /// Names a field of a form.
        package init(_ name: String, _ form: Form) {
            self.name = name
            self.form = form
        }

        package init(stringLiteral name: String) { self.init(name, .text) }
    }

    /// The number of the kind in topics and caches; never another's.
    package let number: UInt8
    /// The word on the wire; a layer of a group has the group's id behind it, as in `group:81`.
    package let name: String
    package let audience: Audience
    package let source: Source
    /// What clusters are named by, so that a name stays while the cluster is the same.
    package let naming: ClusterNaming
    /// What stands before the id of a point in the id of its feature, as in `s:501`.
    package let prefix: String
    /// What a single point carries beside its id, in this order.
    package let fields: [Field]

    /// Describes a kind of layer.
    package init(
        number: UInt8,
        name: String,
        audience: Audience,
        source: Source,
        naming: ClusterNaming,
        prefix: String,
        fields: [Field]
    ) {
        self.number = number
        self.name = name
        self.audience = audience
        self.source = source
        self.naming = naming
        self.prefix = prefix
        self.fields = fields
    }
}

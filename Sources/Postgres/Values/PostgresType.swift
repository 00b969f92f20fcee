/// The identifier of a type in PostgreSQL's catalogue (`pg_type.oid`).
struct PostgresType: Hashable, Sendable {
    let oid: UInt32

    static let unspecified = Self(oid: 0)
    static let bool = Self(oid: 16)
    static let bytea = Self(oid: 17)
    static let char = Self(oid: 18)
    static let name = Self(oid: 19)
    static let int8 = Self(oid: 20)
    static let int2 = Self(oid: 21)
    static let int4 = Self(oid: 23)
    static let text = Self(oid: 25)
    static let oid = Self(oid: 26)
    static let json = Self(oid: 114)
    static let float4 = Self(oid: 700)
    static let float8 = Self(oid: 701)
    static let unknown = Self(oid: 705)
    static let boolArray = Self(oid: 1000)
    static let byteaArray = Self(oid: 1001)
    static let int2Array = Self(oid: 1005)
    static let int4Array = Self(oid: 1007)
    static let textArray = Self(oid: 1009)
    static let int8Array = Self(oid: 1016)
    static let float4Array = Self(oid: 1021)
    static let float8Array = Self(oid: 1022)
    static let bpchar = Self(oid: 1042)
    static let varchar = Self(oid: 1043)
    static let timestamptz = Self(oid: 1184)
    static let timestamptzArray = Self(oid: 1185)
    static let jsonb = Self(oid: 3802)
    static let jsonbArray = Self(oid: 3807)

    /// Whether the type was created in this database: an enum, a domain, or a type of an extension.
    var isUserDefined: Bool { self.oid >= 16_384 }
}

/// What a device is, as its client says in `hello`.
package enum DeviceKind: String, Sendable, Codable, CaseIterable {
    case phone
    case watch
    case browser
    case tracker
}

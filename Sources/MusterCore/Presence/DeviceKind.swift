/// The kind of a device, as its client states it in `hello`.
package enum DeviceKind: String, Sendable, CaseIterable, Encodable {
    case phone
    case watch
    case browser
    case tracker
}

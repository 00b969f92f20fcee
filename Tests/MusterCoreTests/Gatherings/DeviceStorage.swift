@testable import MusterCore

/// The stored devices and fixes of a scene, written as the journal does and read as `hello` does.
struct DeviceStorage {
    /// The stored verdict of each fix.
    private(set) var history: [GatheringScene.StoredFix: FixVerdict] = [:]
    private var fixes: [DeviceID: [Fix]] = [:]
    private var memories: [DeviceID: DeviceMemory] = [:]
    private var kinds: [DeviceID: DeviceKind] = [:]

    /// Stores a fix with its verdict.
    mutating func keep(_ fix: Fix, at: Timestamp, as verdict: FixVerdict, of delivery: GatheringScene.Delivery) {
        var fix = fix
        fix.at = at
        self.fixes[delivery.device, default: []].append(fix)
        self.kinds[delivery.device] = delivery.kind
        self.rewrite(fix, as: verdict, of: delivery.device)
    }

    /// Replaces the verdict of a stored fix.
    mutating func rewrite(_ fix: Fix, as verdict: FixVerdict, of device: DeviceID) {
        self.history[.init(device: device, sequence: fix.sequence)] = verdict
    }

    /// Stores the state of a device if it has changed.
    mutating func keepMemory(of delivery: GatheringScene.Delivery, lead: inout DeviceLead?, gate: inout FixGate?) {
        let hasMoved = lead?.consumeChange(of: delivery.device) ?? false
        let isPendingFixChanged = gate?.consumeChange() ?? false
        guard hasMoved || isPendingFixChanged else { return }
        self.memories[delivery.device] = DeviceMemory(
            anchor: lead?.anchor(of: delivery.device),
            pendingAt: gate?.pendingAt
        )
    }

    /// The position that loading a group returns for a member whose shown position no gathering uses.
    func usablePosition(of shown: StoredPosition?, at now: Timestamp) -> StoredPosition? {
        guard let shown else { return nil }
        let mates = self.fixes.keys.filter { $0.rawValue / 10 == shown.device.rawValue / 10 }
        let found = mates.flatMap { device in
            (self.fixes[device] ?? []).compactMap { fix -> StoredPosition? in
                let verdict = self.history[.init(device: device, sequence: fix.sequence)]
                guard let at = fix.at, at > now - StoredDevice.leadingAge, verdict == .ok || verdict == .future,
                    fix.accuracy ?? 0 <= FixGate.accuracyLimit
                else { return nil }
                return StoredPosition(device: device, fix: fix, isStationary: shown.isStationary)
            }
        }
        return found.max { ($0.fix.at ?? now, $0.fix.sequence) < ($1.fix.at ?? now, $1.fix.sequence) }
    }

    /// The stored state that `hello` reads for a device.
    func device(_ device: DeviceID, at now: Timestamp) -> StoredDevice? {
        guard let memory = self.memories[device], let kind = self.kinds[device] else { return nil }
        let fixes = self.fixes[device] ?? []
        let accepted = fixes.filter { fix in
            guard let at = fix.at, at > now - StoredDevice.leadingAge, at != memory.pendingAt,
                fix.accuracy ?? 0 <= FixGate.accuracyLimit,
                let verdict = self.history[.init(device: device, sequence: fix.sequence)]
            else { return false }
            return StoredDevice.acceptedVerdicts.contains(verdict)
        }
        return StoredDevice(
            device: device,
            kind: kind,
            anchor: memory.anchor,
            accepted: accepted.max { ($0.at ?? now, $0.sequence) < ($1.at ?? now, $1.sequence) },
            pendingFix: memory.pendingAt.flatMap { at in fixes.last { $0.at == at } }
        )
    }
}

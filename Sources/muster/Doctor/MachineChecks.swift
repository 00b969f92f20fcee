import Cryptography
import Foundation
import MusterCommands
import MusterServer

/// What `muster doctor` looks at on this machine.
struct MachineChecks {
    private static let day: Int64 = 86_400
    /// The free space below which a disk is nearly full.
    private static let leastDisk: Int64 = 1 << 30
    /// The memory below which the server may be ended.
    private static let leastMemory: Int64 = 256 << 20
    /// Descriptors of the server beside those of its connections.
    private static let ownDescriptors = 144

    let values: OptionValues
    /// The current time, in seconds since the Unix epoch.
    let now: Int64

    func run() throws -> [Diagnosis] {
        [
            self.secretKey(), try self.certificate(), try self.descriptors(), self.disk(), self.memory(),
            self.imaging(), self.fonts(), try self.backup(),
        ]
    }

    private func secretKey() -> Diagnosis {
        let path = self.values.secretKeyFile
        let subject = "secret key"
        let remedy =
            "Restore it from a backup; with another key, links of share pictures and subscriptions of browsers are void"
        guard FileManager.default.fileExists(atPath: path) else {
            return Diagnosis(subject, .wrong("there is no file '\(path)'", remedy: remedy))
        }
        do {
            _ = try SecretKey(file: path)
        } catch {
            return Diagnosis(subject, .wrong("\(error)", remedy: remedy))
        }
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
        guard mode & 0o077 == 0 else {
            return Diagnosis(subject, .wrong("others may read '\(path)'", remedy: "Run chmod 600 '\(path)'"))
        }
        return Diagnosis(subject, .fine(path))
    }

    private func certificate() throws(UsageError) -> Diagnosis {
        let subject = "certificate"
        guard let path = self.values.text("tls-cert"), let key = self.values.text("tls-key") else {
            return Diagnosis(subject, .skipped("no --tls-cert; with a proxy in front, --url looks at its certificate"))
        }
        let host = try self.values.site("public-url").flatMap { URLComponents(string: $0)?.host }
        let file = CertificateFile(path, key: key, host: host)
        let days = file.secondsLeft / Self.day
        let state: Diagnosis.State =
            switch file.trouble {
            case .unreadable:
                .wrong("'\(path)' is no PEM file of a certificate", remedy: "Set --tls-cert to the file with the chain")
            case .keyUnreadable:
                .wrong(
                    "'\(key)' is no PEM file of a private key",
                    remedy: "Set --tls-key to the key of the certificate"
                )
            case .otherKey:
                .wrong("'\(key)' is the key of another certificate", remedy: "Set --tls-key to its own key")
            case .otherName:
                .wrong("it is not for '\(host ?? "")', the host of --public-url", remedy: "Get one for that name")
            case _ where file.secondsLeft <= 0:
                .wrong("it expired \(-days) days ago", remedy: "Renew it, and send the server SIGHUP")
            case _ where days < 14:
                .wrong("it expires in \(days) days", remedy: "Renew it, and send the server SIGHUP")
            case .untrusted:
                .wrong(
                    "its chain leads to no authority that this machine trusts",
                    remedy: "Add the certificates of the authority to '\(path)', behind its own"
                )
            case nil: .fine("valid for \(days) days")
            }
        return Diagnosis(subject, state)
    }

    private func descriptors() throws(UsageError) -> Diagnosis {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted =
            self.values.isGiven("max-connections")
            ? try self.values.integer("max-connections", in: 1...1_000_000) : 1000
        let allowed = Int(clamping: limit.rlim_max)
        guard allowed >= wanted + Self.ownDescriptors else {
            return Diagnosis(
                "file descriptors",
                .wrong(
                    "this account may open \(allowed), too few for \(wanted) connections",
                    remedy:
                        "Set LimitNOFILE in the systemd unit, or ulimit -n, to \(wanted + Self.ownDescriptors) or more"
                )
            )
        }
        return Diagnosis("file descriptors", .fine("\(allowed) for this account"))
    }

    private func disk() -> Diagnosis {
        var folder = URL(filePath: self.values.dataFolder)
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        var state = statvfs()
        guard statvfs(folder.path, &state) == 0 else {
            return Diagnosis("free disk", .skipped("unknown for '\(folder.path)'"))
        }
        let free = Int64(state.f_bavail) * Int64(state.f_frsize)
        guard free >= Self.leastDisk, state.f_favail > 1000 || state.f_files == 0 else {
            return Diagnosis(
                "free disk",
                .wrong(
                    "\(free >> 20) MiB and \(state.f_favail) files are left at '\(folder.path)'",
                    remedy: "Free some, or lower --retention-days"
                )
            )
        }
        return Diagnosis("free disk", .fine("\(free >> 30) GiB at '\(folder.path)'"))
    }

    private func memory() -> Diagnosis {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        guard let match = text.firstMatch(of: /MemAvailable: +([0-9]+) kB/), let kilobytes = Int64(match.1) else {
            return Diagnosis("memory", .skipped("unknown on this system"))
        }
        guard kilobytes << 10 >= Self.leastMemory else {
            return Diagnosis(
                "memory",
                .wrong("\(kilobytes >> 10) MiB are available", remedy: "End other programs, or use a larger machine")
            )
        }
        return Diagnosis("memory", .fine("\(kilobytes >> 10) MiB available"))
    }

    private func imaging() -> Diagnosis {
        guard let program = ImagingCommand.program else {
            return Diagnosis(
                "photos",
                .wrong(
                    "muster-imaging is not beside this program",
                    remedy: "Copy it there, for it decodes all pictures"
                )
            )
        }
        return Diagnosis("photos", .fine(program))
    }

    private func fonts() -> Diagnosis {
        let folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: folder)
            while let name = files?.nextObject() as? String {
                guard [".ttf", ".otf", ".ttc"].contains(where: { name.hasSuffix($0) }) else { continue }
                return Diagnosis("fonts", .fine("\(folder)/\(name)"))
            }
        }
        return Diagnosis(
            "fonts",
            .wrong(
                "there are none, so share pictures have no names",
                remedy: "Install fonts-dejavu-core and fonts-noto-color-emoji"
            )
        )
    }

    private func backup() throws -> Diagnosis {
        let subject = "last backup"
        guard let folder = self.values.text("backups") else {
            return Diagnosis(subject, .skipped("no --backups, the folder in which `muster backup` makes its folders"))
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let times = names.compactMap { name -> Date? in
            guard let content = FileManager.default.contents(atPath: "\(folder)/\(name)/\(BackupManifest.fileName)"),
                let manifest = try? JSONDecoder().decode(BackupManifest.self, from: content)
            else { return nil }
            return try? Date(manifest.at, strategy: .iso8601)
        }
        let remedy = "Run muster backup, or enable muster-backup.timer"
        guard let last = times.max() else {
            return Diagnosis(subject, .wrong("there is none in '\(folder)'", remedy: remedy))
        }
        let hours = (self.now - Int64(last.timeIntervalSince1970)) / 3_600
        guard hours < 48 else { return Diagnosis(subject, .wrong("it is \(hours) hours old", remedy: remedy)) }
        return Diagnosis(subject, .fine("\(hours) hours old"))
    }
}

import Foundation
import MusterCore

/// The providers of `--auth-config`, which people may sign in with.
///
///     {"providers": [{"id": "keycloak", "name": "Keycloak", "issuer": "https://id.example/realms/home",
///                     "client_id": "muster", "client_secret_file": "/run/secrets/keycloak"}],
///      "returns": ["com.example.app:/signed-in"]}
package struct SignInConfiguration: Sendable {
    /// The reason why a file is no such configuration.
    package struct Problem: Error, CustomStringConvertible {
        /// The problem, with the path of the field.
        package let description: String
    }

    /// The providers in the order of the file.
    package var providers: [ProviderSettings]
    /// Addresses outside of this server that a sign-in may lead back to.
    var returns: Set<String>

    /// Reads the configuration from a file.
    ///
    /// - Throws: the problem with it.
    package init(file: String) throws(Problem) {
        guard let content = FileManager.default.contents(atPath: file) else {
            throw Problem(description: "cannot read '\(file)'")
        }
        let folder = URL(filePath: file).deletingLastPathComponent()
        try self.init(Array(content), folder: folder)
    }

    /// Parses a configuration; names of files are relative to `folder`.
    ///
    /// - Throws: the problem with it.
    init(_ text: [UInt8], folder: URL = URL(filePath: "/")) throws(Problem) {
        guard let root = try? JSONDecoder().decode(ClaimValue.self, from: Data(text)) else {
            throw Problem(description: "it must be a JSON object")
        }
        let fields = try SettingFields(root, path: "")
        let list = try fields.list("providers") ?? []
        guard !list.isEmpty else { throw Problem(description: "providers must name at least one provider") }
        var providers: [ProviderSettings] = []
        for (index, value) in list.enumerated() {
            let provider = try ProviderSettings(SettingFields(value, path: "providers[\(index)]."), folder: folder)
            guard !providers.contains(where: { $0.id == provider.id }) else {
                throw Problem(description: "providers[\(index)].id: '\(provider.id)' is used twice")
            }
            providers.append(provider)
        }
        self.providers = providers
        self.returns = Set(try fields.texts("returns") ?? [])
        try fields.requireKnown(["providers", "returns"])
    }
}

/// The fields of an object in the configuration, with errors that name the field.
struct SettingFields {
    private let values: [String: ClaimValue]
    let path: String

    init(_ value: ClaimValue, path: String) throws(SignInConfiguration.Problem) {
        guard case .object(let values) = value else {
            throw SignInConfiguration.Problem(
                description: "\(path.isEmpty ? "it" : "\(path.dropLast())") must be an object"
            )
        }
        self.values = values
        self.path = path
    }

    func problem(_ name: String, _ rule: String) -> SignInConfiguration.Problem {
        SignInConfiguration.Problem(description: "\(self.path)\(name) \(rule)")
    }

    func text(_ name: String) throws(SignInConfiguration.Problem) -> String? {
        guard let value = self.values[name] else { return nil }
        guard let text = value.text, !text.isEmpty else { throw self.problem(name, "must be a text that is not empty") }
        return text
    }

    func required(_ name: String) throws(SignInConfiguration.Problem) -> String {
        guard let text = try self.text(name) else { throw self.problem(name, "is required") }
        return text
    }

    func flag(_ name: String, default value: Bool) throws(SignInConfiguration.Problem) -> Bool {
        switch self.values[name] {
        case nil: return value
        case .bool(let flag): return flag
        case .null, .number, .text, .list, .object: throw self.problem(name, "must be true or false")
        }
    }

    func list(_ name: String) throws(SignInConfiguration.Problem) -> [ClaimValue]? {
        guard let value = self.values[name] else { return nil }
        guard case .list(let list) = value else { throw self.problem(name, "must be an array") }
        return list
    }

    func texts(_ name: String) throws(SignInConfiguration.Problem) -> [String]? {
        guard let list = try self.list(name) else { return nil }
        let texts = list.compactMap(\.text)
        guard texts.count == list.count else { throw self.problem(name, "must be an array of texts") }
        return texts
    }

    func object(_ name: String) throws(SignInConfiguration.Problem) -> [String: ClaimValue]? {
        guard let value = self.values[name] else { return nil }
        guard case .object(let object) = value else { throw self.problem(name, "must be an object") }
        return object
    }

    /// Refuses fields that nothing reads, which are mistyped.
    func requireKnown(_ names: Set<String>) throws(SignInConfiguration.Problem) {
        if let name = self.values.keys.sorted().first(where: { !names.contains($0) }) {
            throw self.problem(name, "is not a setting; those are \(names.sorted().joined(separator: ", "))")
        }
    }
}

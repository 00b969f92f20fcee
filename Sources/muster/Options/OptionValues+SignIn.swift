import MusterCommands
import MusterServer

extension OptionValues {
    /// The options of sign-in.
    static let signInOptions = [
        Option(
            "auth-config",
            .one("FILE"),
            help: "JSON file of the providers that people may sign in with; requires --public-url"
        ),
        Option(
            "passwords",
            .one("SWITCH"),
            default: "on",
            help: "on, or off to let people in by providers of --auth-config only"
        ),
    ]

    /// The providers that people may sign in with; nil for none.
    ///
    /// - Throws: when the file is missing or wrong, or `--public-url` is missing.
    func signIn() throws(UsageError) -> SignInConfiguration? {
        guard let file = self.text("auth-config") else { return nil }
        guard self.text("public-url") != nil else {
            throw UsageError("--auth-config requires --public-url, the address to which providers lead back")
        }
        do throws(SignInConfiguration.Problem) {
            return try SignInConfiguration(file: file)
        } catch {
            throw UsageError("--auth-config: \(error)")
        }
    }

    /// Whether people may use passwords.
    ///
    /// - Throws: when the option is wrong, or nobody could log in.
    func hasPasswords() throws(UsageError) -> Bool {
        switch self.text("passwords") {
        case "on": return true
        case "off":
            guard self.text("auth-config") != nil else {
                throw UsageError("--passwords off requires --auth-config, because nobody could log in")
            }
            return false
        case let text: throw UsageError("--passwords must be on or off, not '\(text ?? "")'")
        }
    }
}

import MusterCommands
import MusterServer

/// `muster auth-check`: checks a provider of `--auth-config` as the server would use it.
enum AuthCheckCommand: Command {
    static let name = "auth-check"
    static let summary = "Check a sign-in provider: discovery, keys, clock, addresses to register."
    static let usage = "PROVIDER --auth-config FILE --public-url URL"
    static let discussion = """
        Prints the addresses to register at the provider, fetches its discovery document and its keys, and compares its
        clock with this machine's. The exit status is 1 if a sign-in could not succeed.
        """
    static let options = [
        Option("auth-config", .one("FILE"), help: "JSON file of the providers that people may sign in with"),
        Option("public-url", .one("URL"), help: "the server's public address"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.count == 1, let id = values.operands.first else {
            throw UsageError("PROVIDER is required: muster auth-check PROVIDER")
        }
        guard let configuration = try values.signIn(), let site = try values.site("public-url") else {
            throw UsageError("--auth-config is required: the file of the providers")
        }
        guard let settings = configuration.providers.first(where: { $0.id == id }) else {
            let ids = configuration.providers.map(\.id).joined(separator: ", ")
            throw UsageError("there is no provider '\(id)'; those of the file are \(ids)")
        }
        let report = await ProviderCheck(settings, site: site).run()
        for line in report.lines { print(line) }
        return report.isUsable ? 0 : 1
    }
}

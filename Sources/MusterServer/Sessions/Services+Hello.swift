import MusterStore
import MusterWire

extension Services {
    /// How long the directory may take to let somebody in: less than the gateway's deadline, so that they learn why.
    private static let helloLimit = Duration.seconds(5)

    /// Asks the directory to let somebody in.
    ///
    /// - Throws: what the directory says; `unavailable` when it does not answer soon.
    func admit(_ hello: Hello) async throws(FrameError) -> Admission {
        let directory = try self.readyDirectory()
        let result = await withTaskGroup(of: Result<Admission, FrameError>?.self) { group in
            group.addTask { await self.ask(directory, hello) }
            group.addTask {
                try? await Task.sleep(for: Self.helloLimit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result else { throw .storageAway }
        return try result.get()
    }

    private func ask(_ directory: Directory, _ hello: Hello) async -> Result<Admission, FrameError> {
        do throws(FrameError) {
            return .success(
                try await self.ask { () throws(DirectoryError) in
                    try await directory.hello(token: hello.token, device: hello.device)
                }
            )
        } catch {
            return .failure(error)
        }
    }
}

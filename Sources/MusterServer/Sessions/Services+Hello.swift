import MusterStore
import MusterWire

extension Services {
    /// Asks the directory to let somebody in.
    ///
    /// - Throws: what the directory says.
    func admit(_ hello: Hello) async throws(FrameError) -> Admission {
        let directory = try self.readyDirectory()
        return try await self.ask { () throws(DirectoryError) in
            try await directory.hello(token: hello.token, device: hello.device)
        }
    }
}

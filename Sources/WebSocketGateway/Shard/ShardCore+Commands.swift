extension ShardCore {
    /// Executes the commands of other threads, in order.
    ///
    /// - Parameter commands: keeps its length, but its elements are without meaning afterwards; the caller drops them.
    func execute(_ commands: inout [GatewayCommand]) {
        for index in commands.indices {
            if index + 4 < commands.count, case .send(let id, let frame, _) = commands[index + 4] {
                Prefetch.lines(of: frame)
                self.connections.prefetch(id, lines: Connection.busyLines)
            }
            // Moved out of the array, so that its payload is not copied. The value left behind holds no references.
            var command = GatewayCommand.markEstablished(ConnectionID(rawValue: 0))
            swap(&command, &commands[index])
            self.execute(command)
        }
    }

    private func execute(_ command: consuming GatewayCommand) {
        switch consume command {
        case .send(let id, let frame, let urgency):
            guard let connection = self.connections[id] else { return }
            self.send(frame, on: connection, urgency)
        case .deliver(let id, let message):
            guard let connection = self.connections[id], connection.isOpen else { return }
            self.events?.messageReceived(message, on: connection)
        case .markEstablished(let id): self.connections[id]?.markEstablished()
        case .close(let id, let code): self.connections[id]?.close(code)
        case .pauseReading(let id): self.connections[id]?.pauseReading()
        case .resumeReading(let id): self.connections[id]?.resumeReading()
        case .openTopic(let snapshot): self.openTopic(snapshot)
        case .updateTopic(let change): self.updateTopic(change)
        case .closeTopic(let id): self.closeTopic(id)
        case .subscribe(let id, let topic, let request):
            self.subscribe(self.connections[id], to: topic, request)
        case .unsubscribe(let id, let topic):
            guard let connection = self.connections[id] else { return }
            self.unsubscribe(connection, from: topic)
        case .respond(let id, let response): self.respond(id, response)
        case .resumeExchange(let id): self.resumeExchange(id)
        case .pauseAllReading: self.pauseAllReading()
        case .resumeAllReading: self.resumeAllReading()
        }
    }
}

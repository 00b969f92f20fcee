/// Counts concurrent callers.
actor Crowd {
    private(set) var running = 0
    private(set) var most = 0
    private(set) var isOver = false

    func enter() {
        self.running += 1
        self.most = max(self.most, self.running)
    }

    func leave() { self.running -= 1 }
    func end() { self.isOver = true }

    /// Enters, and returns when the crowd is ended.
    func stay() async {
        self.enter()
        while !self.isOver { await Task.yield() }
        self.leave()
    }
}

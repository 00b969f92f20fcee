import MusterCore

extension WorldTurner {
    /// Starts the reads of spots that the world requests.
    func carryOut(_ effect: SpotEffect) {
        switch effect {
        case .read(let reading): self.outlets.groups.readSpots(reading)
        case .countVotes(let spots): self.outlets.groups.countVotes(on: spots)
        case .readTexts(let spots): self.outlets.groups.readTexts(of: spots)
        }
    }
}

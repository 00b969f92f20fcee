// Rivals are overlapping places of one group, neither within the other. The share of a place is the distance of the
// stay's mean from its centre, divided by its radius. A person is inside the rival with the smallest share. A person
// changes from one to another without leaving when the stay is long and certain: 300 s, at most half the share, and a
// mean accuracy of at most half the distance of the centres. Otherwise two homes next to each other would alternate.

extension ArrivalRule {
    /// Executes complete proofs: departures first, then changes between rivals, then arrivals.
    mutating func settle(
        _ complete: UInt32,
        in watch: Watch,
        by fix: ArrivalFix,
        isSilent: Bool = false,
        into events: inout [ArrivalEvent]
    ) {
        let isTimely = fix.standing == .timely
        var arrivals: UInt32 = 0
        for index in watch.ground.circles.indices where complete & 1 << UInt32(index) != 0 {
            guard let place = self.place(index, in: watch) else { continue }
            switch self.standings[place].proof?.kind {
            case .departure: self.change(place, to: .outside, isTimely: isTimely, into: &events)
            case .arrival: arrivals |= 1 << UInt32(index)
            case nil: break
            }
        }
        if !isSilent { self.changeRival(in: watch, by: fix, into: &events) }
        for index in watch.ground.circles.indices where arrivals & 1 << UInt32(index) != 0 {
            guard let place = self.place(index, in: watch), !self.isBeaten(index, in: watch) else { continue }
            self.change(place, to: .inside, isTimely: isTimely, into: &events)
            self.exclude(rivalsOf: index, in: watch)
        }
    }

    private func place(_ index: Int, in watch: Watch) -> Int? {
        let id = watch.ground.circles[index].place
        return self.standings.firstIndex { $0.place == id }
    }

    private func isInside(_ index: Int, in watch: Watch) -> Bool {
        self.place(index, in: watch).map { self.standings[$0].state == .inside } ?? false
    }

    private func share(_ index: Int, in watch: Watch) -> Double {
        guard let stay = self.stay else { return .infinity }
        let circle = watch.ground.circles[index]
        return stay.mean.distance(to: circle.centre) / circle.radius
    }

    /// Whether the person is inside a rival, or nearer to one.
    private func isBeaten(_ index: Int, in watch: Watch) -> Bool {
        let rivals = watch.ground.rivals[index] & watch.mask
        guard rivals != 0 else { return false }
        let share = self.share(index, in: watch)
        return watch.ground.circles.indices.contains { rival in
            guard rivals & 1 << UInt32(rival) != 0 else { return false }
            return self.isInside(rival, in: watch) || self.share(rival, in: watch) < share
        }
    }

    /// Makes the state at the rivals of a place known: a person is inside one at most.
    private mutating func exclude(rivalsOf index: Int, in watch: Watch) {
        let rivals = watch.ground.rivals[index] & watch.mask
        for rival in watch.ground.circles.indices where rivals & 1 << UInt32(rival) != 0 {
            guard let place = self.place(rival, in: watch), self.standings[place].state == .unknown else { continue }
            self.standings[place].state = .outside
            self.standings[place].told = .outside
            self.standings[place].proof = nil
        }
    }

    /// Changes from a place to a rival without leaving.
    private mutating func changeRival(in watch: Watch, by fix: ArrivalFix, into events: inout [ArrivalEvent]) {
        guard let stay = self.stay, stay.elsewhere == nil, fix.at - stay.first.at >= ArrivalProof.long else { return }
        for index in watch.ground.circles.indices where watch.ground.rivals[index] & watch.mask != 0 {
            guard self.isInside(index, in: watch), let place = self.place(index, in: watch) else { continue }
            let rivals = watch.ground.rivals[index] & watch.mask
            let circle = watch.ground.circles[index]
            let limit = self.share(index, in: watch) / 2
            let better = watch.ground.circles.indices.filter { rival in
                let other = watch.ground.circles[rival]
                return rivals & 1 << UInt32(rival) != 0 && self.share(rival, in: watch) <= min(limit, 1)
                    && stay.accuracy <= circle.centre.distance(to: other.centre) / 2
            }
            let best = better.min { self.share($0, in: watch) < self.share($1, in: watch) }
            guard let best, let next = self.place(best, in: watch) else { continue }
            let isTimely = fix.standing == .timely
            let since = stay.first.at
            self.change(place, to: .outside, since: since, isTimely: isTimely, into: &events)
            self.change(next, to: .inside, since: since, isTimely: isTimely, into: &events)
            return
        }
    }
}

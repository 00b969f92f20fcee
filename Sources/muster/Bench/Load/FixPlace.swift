/// A place in units of 10⁻⁷ degree, the wire's precision.
struct FixPlace: Equatable {
    let latitude: Int64
    let longitude: Int64

    /// Where a member of a group is at their `number`th fix: groups lie apart, members 2 km from each other, and
    /// everybody paces up and down 200 m in steps of a metre.
    init(group: Int, member: Int, number: Int64) {
        let step = number % 400
        let pace = step < 200 ? step : 400 - step
        self.latitude = Int64(group % 600) * 2_000_000 - 600_000_000 + Int64(member) * 180_000 + pace * 90 + 7
        self.longitude = Int64(group / 600) * 10_000_000 + 1_234_567
    }
}

/// What happens to a group in an evening.
enum ScenarioStory: String, CaseIterable {
    /// Everybody stays at home.
    case quiet = "quiet day"
    /// Most ride to work on one bus; in the evening nothing.
    case bus = "bus to work"
    /// Everybody comes to the café, the last right behind the one before.
    case allCome = "all come"
    /// Everybody comes, the last one a good while later.
    case lastIsLate = "last is late"
    /// One does not come.
    case staysAway = "one stays away"
    /// One sits 120 m from the others: neither there nor missing.
    case nearby = "one sits nearby"
    /// One goes home while the others stay.
    case leavesByChoice = "one goes by choice"
    /// The others go on and leave one behind.
    case leftBehind = "one is left behind"
    /// One is told that they are missing, comes, and is left behind.
    case toldThenLeft = "told, came, left"
    /// They drive on in two cars, to two places.
    case twoCars = "two cars"
    /// The phone of one who is there dies, then all go on together.
    case phoneDies = "a phone dies"
    /// The phone of one who stays away died before.
    case absentPhoneDies = "phone dies away"
    /// One who stays away shares nothing.
    case paused = "one pauses"
}

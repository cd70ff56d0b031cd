import Routes
import Store
import WaterQuality

extension Format where Value == Shift {
    /// An object with all of a shift; without id, or with null, it is another one.
    static let shift = object(
        [id, name, days, from, until, members], required: ["name", "days", "from", "until", "members"],
        example: [
            "name": "Night", "days": ["saturday", "sunday"], "from": "22:00", "until": "06:00", "members": ["7", "9"],
        ],
        or: .notShift
    ) { given throws(Fault) in
        guard let name = try given[name], let days = try given[days], let from = try given[from],
            let until = try given[until], let members = try given[members]
        else { return nil }
        return Shift(
            id: try given[id] ?? nil, name: name, days: Set(days), from: from, until: until, members: Set(members))
    }

    private static let id = ObjectMember("id", Format<ShiftID>.id.nullable)
    private static let name = ObjectMember("name", Format<String>.visibleText(1...60, example: "Night"))
    private static let days = ObjectMember(
        "days", Format<[Weekday]>.list(of: .choice(Weekday.self), count: 1...Weekday.allCases.count))
    private static let from = ObjectMember("from", Format<Int>.timeOfDay)
    private static let until = ObjectMember("until", Format<Int>.timeOfDay.example("06:00"))
    private static let members = ObjectMember(
        "members", Format<[Int64]>.list(of: Format<Int64>.ownershipID, count: 0...50))
}

extension Fault {
    fileprivate static let notShift = Fault("not-a-shift")
    static let notMember = Fault("not-a-member")
}

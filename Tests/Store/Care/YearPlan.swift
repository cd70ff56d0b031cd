/// What is certain about the year 2025 of the tank: its reminders, and what becomes of them.
enum YearPlan {
    enum Step {
        /// - Parameter keepers: Who is told; `nil`: the owner, and who makes it.
        case add(String, ModelRule, for: [Keeper]?, by: Keeper)
        case change(String, ModelRule)
        case end(String)
        /// Lee leaves the tank.
        case leave
        /// Lee shares it again, and is told of some.
        case comeBack([String])
        /// The notifier is away for some hours.
        case stop(Int)
    }

    /// In their order. The feeding is in the hour that Berlin's clocks skip, and show twice; of the two in Santiago one is skipped, and one comes
    /// twice.
    static let all = [
        (start, Step.add("Feed", feeding, for: Keeper.allCases, by: .kim)),
        (start, .add("Water", saturday, for: Keeper.allCases, by: .kim)),
        (start, .add("Filter", afterDone, for: [.kim], by: .kim)),
        (start, .add("Glass", ModelRule(.monthDay(5), 23, 30, santiago, from: first), for: Keeper.allCases, by: .kim)),
        (start, .add("Dose", ModelRule(.monthDay(7), 0, 0, santiago, from: first), for: Keeper.allCases, by: .kim)),
        ("2025-03-10 08:00", .add("Test", saturday, for: nil, by: .lee)),
        ("2025-05-02 06:00", .stop(60)),
        ("2025-06-01 10:00", .leave),
        ("2025-06-16 10:00", .change("Water", ModelRule(.weekday(2), 20, 30, berlin, from: "2025-06-16"))),
        ("2025-07-01 10:00", .comeBack(["Feed", "Water", "Glass", "Test"])),
        ("2025-07-20 12:00", .stop(100)),
        ("2025-11-20 15:00", .end("Test")),
    ].map { (at: Wall.instant($0.0), step: $0.1) }

    private static let start = "2025-01-01 00:00"
    private static let first = "2025-01-01"
    private static let (berlin, santiago) = ("Europe/Berlin", "America/Santiago")
    private static let feeding = ModelRule(.everyDays(3), 2, 30, berlin, from: "2025-01-02")
    private static let saturday = ModelRule(.weekday(6), 9, 0, berlin, from: first)
    private static let afterDone = ModelRule(.afterDone(10), 9, 0, berlin, from: "2025-01-03")

    /// Nobody is there to do anything.
    static let holidays = Wall.instant("2025-08-08 00:00")...Wall.instant("2025-08-26 00:00")

    /// Occurrences in hours that clocks skip, or show twice.
    static let changesOfClocks = [
        "Feed 2025-03-30T02:30", "Feed 2025-10-26T02:30", "Glass 2025-04-05T23:30", "Dose 2025-09-07T00:00",
    ]
}

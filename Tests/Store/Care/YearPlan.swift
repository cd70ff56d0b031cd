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

    private static let start = "2025-01-01 00:00"

    /// In their order. The feeding is in the hour that Berlin's clocks skip, and show twice; so are the others in Santiago, once each.
    static let all: [(at: Int, step: Step)] = [
        (
            start,
            .add(
                "Feed", ModelRule(.everyDays(2), 2, 30, "Europe/Berlin", from: "2025-01-01"), for: Keeper.allCases,
                by: .kim)
        ),
        (
            start,
            .add(
                "Water", ModelRule(.weekday(6), 9, 0, "Europe/Berlin", from: "2025-01-01"), for: Keeper.allCases,
                by: .kim)
        ),
        (
            start,
            .add(
                "Filter", ModelRule(.afterDone(10), 18, 30, "Europe/Berlin", from: "2025-01-03"), for: [.kim], by: .kim)
        ),
        (
            start,
            .add(
                "Glass", ModelRule(.monthDay(5), 23, 30, "America/Santiago", from: "2025-01-01"), for: Keeper.allCases,
                by: .kim)
        ),
        (
            start,
            .add(
                "Dose", ModelRule(.monthDay(7), 0, 0, "America/Santiago", from: "2025-01-01"), for: Keeper.allCases,
                by: .kim)
        ),
        (
            "2025-03-10 08:00",
            .add("Test", ModelRule(.everyDays(9), 12, 0, "Europe/Berlin", from: "2025-03-10"), for: nil, by: .lee)
        ),
        ("2025-05-02 06:00", .stop(60)),
        ("2025-06-01 10:00", .leave),
        ("2025-06-16 10:00", .change("Water", ModelRule(.weekday(2), 20, 30, "Europe/Berlin", from: "2025-06-16"))),
        ("2025-07-01 10:00", .comeBack(["Feed", "Water", "Glass", "Test"])),
        ("2025-07-20 12:00", .stop(100)),
        ("2025-11-20 15:00", .end("Test")),
    ].map { (Wall.instant($0.0), $0.1) }

    /// Nobody is there to do anything.
    static let holidays = Wall.instant("2025-08-08 00:00")...Wall.instant("2025-08-26 00:00")

    /// Occurrences in hours that clocks skip, or show twice.
    static let changesOfClocks = [
        "Feed 2025-03-30T02:30", "Feed 2025-10-26T02:30", "Glass 2025-04-05T23:30", "Dose 2025-09-07T00:00",
    ]
}

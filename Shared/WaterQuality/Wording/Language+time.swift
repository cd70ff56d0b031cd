package import Instants
package import Words

extension Language {
    /// A time of day by the person's clock, with its date unless that is today: `09:05`, `3 May, 09:05`.
    func moment(_ time: CivilTime, _ now: CivilTime) -> String {
        let clock = clock(time)
        if time.isSameDay(as: now) { return clock }
        let month = text("language.month_\(time.month)")
        return text("language.moment", ["day": "\(time.day)", "month": month, "clock": clock])
    }

    /// A time of day by the person's clock: `09:05`.
    package func clock(_ time: CivilTime) -> String {
        // One o'clock is singular in Spanish.
        text(
            "language.clock",
            ["hour": "\(time.hour)", "hour2": twoDigits(time.hour), "minute": twoDigits(time.minute)],
            form: time.hour == 1 ? "one" : "other")
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

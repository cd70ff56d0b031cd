import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route of what changed where.
enum ChangeRoutes {
    static let all = [show].forProjects()

    private static let show = Route<Caller>(
        .get, "/map/change", id: "showChange", tag: ZoneRoutes.tag, access: .read, "Show what changed where",
        text: """
            Of the devices and sites that the person has and has given a position, \(ReadChanges.most) at most: the change of a parameter from the window \
            that ends with one moment to that which ends with another. Both are as long, and made of roll-ups, so that the newest hour, or day, is not in them \
            yet.

            A window's value is the median of the means of its hours, or from 48 hours on of its days (UTC); roll-ups keep no medians. Hours count where both \
            windows have the same hour of the day, so that an afternoon is compared with an afternoon: moments of short windows stand best at the same time \
            of the day. A window needs a quarter of its hours or days.

            A change is told where it is more than two steps of the sensor, and more than chance makes likely: twice the median absolute deviation by the root \
            of how many hours or days there are. Classes are the parameter's own: a map of tomorrow has the same.

            Where a probe has no readings in one of the windows, values by hand are compared: the newest at each moment, no older than half of the time between \
            the moments, or than a window. What is flagged counts, and its share is told.
            """,
        inputs: [
            ChangeInputs.parameter, ChangeInputs.from, ChangeInputs.to, ChangeInputs.span, ChangeInputs.area,
            ChangeInputs.unit,
        ],
        answers: .json(.ok, .changes), limit: .heavy
    ) { caller, inputs in
        let scope = caller.scope
        let (parameter, scale) = (inputs[ChangeInputs.parameter], try ChangeInputs.scale(inputs))
        return try await scope.services.heavy.job(of: scope.person()).turn {
            try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                let now = try transaction.execute(ReadClock())[0]
                let windows = try ChangeInputs.windows(inputs, now: now)
                let read = ReadChanges(parameter: parameter, windows: windows, area: inputs[ChangeInputs.area])
                let places = try transaction.execute(read)
                return .value(ShownChanges(of: places, parameter, in: windows, shownIn: scale))
            }
        }
    }
}

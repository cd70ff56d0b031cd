import Instants
import Postgres
import Store
import WaterQuality

extension PublicPage {
    /// Reads a page in one snapshot, with the eyes of its owner: what their screen would say, as far as they chose to show it.
    /// - Parameter transaction: Of nobody, with the options of `SeriesRequest.transaction`.
    /// - Returns: `nil` where there is no such page.
    static func read(_ hash: [UInt8], in transaction: PostgresTransaction) throws -> PublicPage? {
        guard let page = try transaction.execute(EnterPublicPage(hash: hash)).first else { return nil }
        let now = try transaction.execute(ReadClock())[0]
        let chosen = page.parameters.parameters
        let points = points(besides: page.tanks.count * chosen.count)
        let tanks = try page.tanks.map { tank in
            let latest = try transaction.execute(LatestReadings(of: tank.device))
            let tested = try transaction.testsOfSite(tank.device).filter { $0.at >= tank.beginsAt }
            let since = max(tank.beginsAt, now - .seconds(Int64(page.days) * 86_400))
            return Tank(
                title: tank.title,
                values: try chosen.compactMap { parameter in
                    let watched = FindWatchSubject(parameter, of: tank.device, for: page.account)
                    guard let subject = try transaction.execute(watched).first else { return nil }
                    let series = try SeriesRequest(since..<max(since, now + EventTime.furthestAhead), points: points)
                        .perform(of: subject, in: transaction)
                    return Value(
                        subject, series, latest.first { $0.parameter == parameter },
                        tested: tested.first { $0.value.parameter == parameter }, showsState: page.showsState, now: now)
                })
        }
        return PublicPage(title: page.title, days: Int(page.days), tanks: tanks, readAt: now)
    }
}

extension PublicPage.Value {
    /// A value as its owner's screen shows it; the work of people on the water is not in it.
    fileprivate init(
        _ subject: WatchSubject, _ series: Series, _ latest: LatestReadings.Row?, tested: HandPoint?, showsState: Bool,
        now: Timestamp
    ) {
        let parameter = subject.watch.parameter
        let last = latest.map { ($0.value, $0.time) } ?? tested.map { ($0.value.value, $0.at) }
        let scale = parameter.scale(chosen: subject.unit, telling: last.map { Double($0.0) })
        self.init(
            parameter: parameter, scale: scale,
            last: last.flatMap { scale.fromCanonical(Double($0.0))?.shown }, at: last?.1,
            isByHand: latest == nil && tested != nil,
            state: latest.flatMap { row in
                guard showsState else { return nil }
                return PublicPage.state(
                    row.side, hasLimits: row.minimum != nil || row.maximum != nil, age: now - row.time)
            },
            step: series.step, longestGap: series.longestGap,
            points: series.points.filter { !$0.isWorked }.compactMap { point in
                scale.fromCanonical(point.mean).map {
                    PublicPage.Point(time: point.time, mean: $0.shown, isAfterGap: point.isAfterGap)
                }
            })
    }
}

extension PostgresTransaction {
    /// The last value by hand of each parameter of a site of the named account's, newest first; none for a device, whose probes speak for it.
    fileprivate func testsOfSite(_ id: Device.HardwareID) throws -> [HandPoint] {
        guard let site = try execute(FindPersonDevice(id)).first, site.isSite else { return [] }
        return try execute(ReadLastHandValues(of: site.key)).compactMap(\.self)
    }
}

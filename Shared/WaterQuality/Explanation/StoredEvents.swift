import Instants

/// What is stored of a watch, handed out in the order in which its readings are walked through.
struct StoredEvents {
    /// Something that no reading stands for.
    enum Other {
        case change(EpisodeChange)
        case alert(PastAlert)
        /// Somebody was called because nobody had answered.
        case call(Timestamp)

        var decidedAt: Timestamp {
            switch self {
            case .change(let change): change.decidedAt
            case .alert(let alert): alert.decidedAt
            case .call(let time): time
            }
        }
    }

    let episodes: [Episode.ID: PastEpisode]
    private let past: WatchPast
    /// When episodes of the water began, oldest first.
    private let openings: [Timestamp]
    /// The changes that readings caused, by the time of the reading.
    private var changes: [Timestamp: [EpisodeChange]] = [:]
    /// Newest first.
    private var others: [Other] = []
    /// The alerts of water that readings caused and no change tells of, in the order of their decisions.
    private var alerts: [PastAlert] = []

    /// - Parameters:
    ///   - readings: In the order of their receipts.
    ///   - lag: By how much the device's clock, to which the period belongs, is behind.
    init(_ past: WatchPast, readings: [PastReading], in period: Range<Timestamp>, lag: Duration) {
        self.past = past
        episodes = Dictionary(past.episodes.map { ($0.id, $0) }) { first, _ in first }
        openings = past.episodes.filter { $0.kind == .range }.map(\.openedAt).sorted()
        let times = Set(readings.map(\.reading.time))
        for change in past.changes {
            let isOfWater = episodes[change.episode]?.kind == .range
            if isOfWater, times.contains(change.time) {
                changes[change.time, default: []].append(change)
            } else if !isOfWater || period.contains(change.time) {
                others.append(.change(change))
            }
        }
        let told = Set(past.changes.compactMap { alert(of: $0)?.id })
        let start = readings.first?.receivedAt ?? .distantPast
        for alert in past.alerts where alert.decidedAt >= start && !told.contains(alert.id) {
            if alert.tellsOfWater, times.contains(alert.eventTime) {
                alerts.append(alert)
            } else {
                others.append(.alert(alert))
            }
        }
        others += past.calls.map { .call($0) }
        others.removeAll { !period.contains($0.decidedAt - lag) }
        others.sort { $0.decidedAt > $1.decidedAt }
    }

    /// The alert that was committed together with a change.
    func alert(of change: EpisodeChange) -> PastAlert? {
        guard change.outcome == .alerted else { return nil }
        return past.alerts.first {
            $0.episode == change.episode && $0.decidedAt == change.decidedAt && $0.purpose == .alarm
        }
    }

    /// The alerts of water before a time, in the order of their decisions.
    func alerts(before first: PastReading) -> [PastAlert] {
        past.alerts.filter { $0.tellsOfWater && $0.decidedAt < first.receivedAt }
    }

    /// The side that an alert is about.
    func side(of alert: PastAlert) -> Side? { alert.side ?? episodes[alert.episode]?.side }

    /// The event time of the reading that caused an alert, which is no later than another.
    func cause(of alert: PastAlert, before first: PastReading) -> Timestamp {
        past.changes.first { self.alert(of: $0)?.id == alert.id }?.time ?? min(alert.eventTime, first.reading.time)
    }

    /// The last all-clear that had arrived at a time of the database's clock: what was charged before it is given back.
    func allClear(until now: Timestamp) -> PastAlert? {
        past.alerts.last { $0.kind == .range && $0.purpose == .recovery && $0.hasArrived(at: now) }
    }

    /// The episode that was open when a reading came.
    func open(before first: Reading) -> PastEpisode? {
        past.episodes.first {
            $0.kind == .range && $0.openedAt < first.time && ($0.closedAt ?? .distantFuture) >= first.time
        }
    }

    /// The last episodes that had begun at a time.
    func flutter(until time: Timestamp) -> Flutter { Flutter(openings: Array(openings.prefix { $0 <= time })) }

    mutating func takeChanges(at time: Timestamp) -> [EpisodeChange] { changes.removeValue(forKey: time) ?? [] }

    /// An alert that a reading may have caused and that no change tells of.
    ///
    /// While it was on its way, its text became that of newer readings. It is then of one of those that came last before it was
    /// decided.
    /// - Parameter next: When something newer came next that did not come together with it.
    func alert(mayBeOf cause: PastReading, in open: Episode.ID, next: Timestamp) -> PastAlert? {
        alerts.first { alert in
            guard alert.episode == open, alert.decidedAt >= cause.receivedAt else { return false }
            return alert.eventTime == cause.reading.time
                || alert.eventTime > cause.reading.time && next > alert.decidedAt
        }
    }

    /// Takes an alert whose reading is found.
    mutating func take(_ alert: PastAlert) { alerts.removeAll { $0.id == alert.id } }

    func hasAlerts(of episode: Episode.ID) -> Bool { alerts.contains { $0.episode == episode } }

    mutating func takeOther(before time: Timestamp) -> Other? {
        guard let event = others.last, event.decidedAt < time else { return nil }
        return others.popLast()
    }

    /// The alerts that stood for no reading after all.
    var leftAlerts: [PastAlert] { alerts }
}

package import Instants

/// Work on the water: a stretch of time in which somebody changes, cleans, calibrates or feeds, and what is measured says nothing of
/// how the water is.
///
/// The event time of a reading decides whether it belongs to the work, so that it ends by itself wherever the service is: nothing has to
/// run at its end, and it may be entered afterwards. All times are the database's.
package struct Work: Hashable, Sendable {
    /// The kinds of work. The raw values are stored, and a promise to clients and firmware.
    package enum Kind: String, CaseIterable, Sendable {
        case waterChange, cleaning, calibration, feeding, other

        /// How long it takes unless somebody says otherwise.
        package var usual: Duration { self == .feeding ? .seconds(15 * 60) : .seconds(30 * 60) }
    }

    package var period: Range<Timestamp>
    /// The person who began it; `nil` for an operator, or somebody who is gone.
    package var begunBy: Account.ID?
    /// Whether whoever began it hears of their own critical limits from the first minute.
    package var keepsHard: Bool

    package init(_ period: Range<Timestamp>, begunBy: Account.ID? = nil, keepsHard: Bool = true) {
        self.period = period
        self.begunBy = begunBy
        self.keepsHard = keepsHard
    }

    /// How long one stretch may last.
    package static let longest = Duration.seconds(12 * 3_600)
    /// How far back work can be entered: what is measured longer ago is not judged anew.
    package static let reach = Duration.seconds(31 * 86_400)
    /// How long after the work values still move because of it, so that no course of them is read.
    package static let settling = Duration.seconds(15 * 60)
    /// For how long a critical value waits for those who did not want to hear of it at once.
    package static let longestHold = Duration.seconds(15 * 60)

    /// Whether a person hears of a critical value of theirs at a time of the work. Nobody decides that for others.
    fileprivate func tellsCritical(to person: Account.ID?, at time: Timestamp) -> Bool {
        keepsHard || begunBy == nil || begunBy != person || time - period.lowerBound >= Self.longestHold
    }
}

/// The bearing of work on a decision about one reading for one person.
package enum Working: Hashable, Sendable {
    /// Nobody works on the water.
    case no
    /// Nobody does any more, and nothing was measured since.
    case ended
    /// Somebody does; critical values are told all the same.
    case tellsCritical
    /// Somebody does, and critical values wait as well.
    case tellsNothing
}

extension [Work] {
    /// The bearing of work on what was measured at a time.
    /// - Parameters:
    ///   - time: By the database's clock.
    ///   - last: When something was measured before; with `nil` no end is noticed.
    ///   - person: The person for whom it is decided.
    package func working(at time: Timestamp, after last: Timestamp? = nil, for person: Account.ID?) -> Working {
        if isEmpty { return .no }
        var found = Working.no
        for work in self {
            if work.period.contains(time) {
                guard !work.tellsCritical(to: person, at: time) else { return .tellsCritical }
                found = .tellsNothing
            } else if found == .no, let last, last < work.period.upperBound, work.period.upperBound <= time {
                found = .ended
            }
        }
        return found
    }

    /// From when on values follow from each other again: when the last work that had begun by a time is over, and the water has settled.
    package func settled(at time: Timestamp) -> Timestamp? {
        if isEmpty { return nil }
        return lazy.filter { $0.period.lowerBound <= time }.map { $0.period.upperBound + Work.settling }.max()
    }

    /// The same work by a device's clock.
    package func moved(by lag: Duration) -> [Work] {
        guard lag != .zero else { return self }
        return map { work in
            var moved = work
            moved.period = work.period.lowerBound + lag..<work.period.upperBound + lag
            return moved
        }
    }
}

extension Finding {
    /// The rest of a finding while somebody works on the water: no episode opens, and an open one waits for the end. A critical value is told
    /// where the person hears of it, and its episode ends as ever: nobody is called for water that is right again.
    /// - Parameter open: The open episode.
    package func during(_ work: Working, open: Episode?) -> Finding {
        guard work == .tellsCritical || work == .tellsNothing else { return self }
        switch self {
        case .holds(let evidence) where evidence.isCritical && work == .tellsCritical: return self
        case .over where open?.isCritical == true: return self
        case .holds, .over: return .lingers(.working)
        case .nothing, .lingers, .moot: return self
        }
    }
}

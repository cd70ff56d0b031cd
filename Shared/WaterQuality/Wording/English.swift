import Instants

struct English: Phrasebook {
    func header(_ deviceName: String) -> String { "\(deviceName): " }

    func range(_ range: RangeContent, _ notice: Notice) -> Text {
        let (name, told, isHigh) = (range.parameter.words.en, range.told(in: notice.unit), range.side == .high)
        let (value, since) = (told.text(range.value, .en), clock(notice.since, notice.now))
        let beyond =
            "\(isHigh ? "above" : "below") your \(range.isCritical ? "critical " : "")"
            + "\(isHigh ? "maximum" : "minimum") of \(told.text(range.toldLimit, .en))"
        let hint =
            range.checkProbe ? " This is beyond what the probe can measure, so check the probe as well." : ""
        if notice.isOver {
            if range.isBeyond {
                return ("\(name) within your limits", "Your limits changed; \(value) is within them.")
            }
            return (
                "\(name) back in range",
                "\(value) since \(clock(notice.at, notice.now)). It had been \(beyond) since \(since)."
            )
        }
        if range.isUnstable, !notice.isReminder {
            return (
                "\(name) unstable",
                "It keeps leaving your limits and coming back. Now \(value), \(beyond). "
                    + "You hear of it again when it is steady." + hint
            )
        }
        // `since` is the time of leaving the range; the critical limit was crossed later.
        let state =
            range.isCritical
            ? "\(value), \(beyond). Outside your limits since \(since)." : "\(value), \(beyond) since \(since)."
        let worst =
            notice.isReminder && range.hasBeenWorse
            ? " \(isHigh ? "Highest" : "Lowest") so far: \(told.text(range.worst, .en))." : ""
        let degree = "\(range.isCritical ? "critically" : "too") \(isHigh ? "high" : "low")"
        return ("\(name) \(notice.isReminder ? "still " : "")\(degree)", state + worst + hint)
    }

    func silence(_ silence: SilenceContent, _ notice: Notice) -> Text {
        let (name, since) = (silence.parameter?.words.en, clock(notice.since, notice.now))
        let readings = name.map { "\($0) readings" } ?? "readings"
        if notice.isOver {
            return (
                "\(readings) again",
                "Heard again at \(clock(notice.at, notice.now)). There had been nothing since \(since)."
            )
        }
        let body =
            switch silence.cause {
            case .missing: "None since \(since), while others still arrive. Check the probe."
            case .anotherProbe:
                "None since \(since): another probe answers in place of the one in the water. If it was replaced, choose the new "
                    + "one on the device's page."
            case .connected: "Nothing heard since \(since), though it is connected. Check the probe."
            case .cutOff: "Nothing heard since \(since). Check its power and its network."
            }
        return ("\(notice.isReminder ? "still no" : "no") \(readings)", body)
    }

    func fault(_ fault: FaultContent, _ notice: Notice) -> Text {
        let (probe, since) = ("\(fault.parameter.words.en) probe", clock(notice.since, notice.now))
        let flatAt = fault.flatAt(in: notice.unit, .en)
        if notice.isOver {
            let time = clock(notice.at, notice.now)
            return (
                "the \(probe) works again",
                flatAt.map { "Its value changed at \(time). It had stayed at \($0) since \(since)." }
                    ?? "It gave a value at \(time). It had reported an error since \(since)."
            )
        }
        return (
            notice.isReminder ? "the \(probe) still needs a check" : "check the \(probe)",
            flatAt.map {
                "Its value has stayed at \($0) since \(since). Clean it, and check that it is in the water."
            } ?? "It has reported an error instead of a value since \(since). Check its plug and its cable."
        )
    }

    func rate(_ rate: RateContent, _ notice: Notice) -> Text {
        let name = rate.parameter.words.en
        if notice.isOver {
            return (
                "\(name) steady again",
                "It has changed more slowly since \(clock(notice.at, notice.now)). "
                    + "It had changed faster than your limit since \(clock(notice.since, notice.now))."
            )
        }
        let title = "\(name) \(notice.isReminder ? "still " : "")\(rate.rises ? "rising" : "falling") fast"
        guard let (by, minutes, to, limit) = rate.text(in: notice.unit, .en) else { return (title, "") }
        let time = minutes == 1 ? "a minute" : "\(minutes) minutes"
        return (
            title,
            "It \(rate.rises ? "rose" : "fell") by \(by) within \(time), to \(to). Your limit is \(limit) in an hour."
        )
    }

    func ahead(_ ahead: AheadContent, _ notice: Notice) -> Text {
        let name = ahead.parameter.words.en
        if notice.isOver {
            return (
                "\(name) not expected to reach your limit soon",
                "It has turned or slowed down since \(clock(notice.at, notice.now)). "
                    + "It had been heading for your limit since \(clock(notice.since, notice.now))."
            )
        }
        let rises = ahead.outlook?.side == .high
        let title = "\(name) is \(rises ? "rising" : "falling")"
        guard let (value, limit) = ahead.text(in: notice.unit, .en), let time = notice.expected else {
            return (title, "")
        }
        return (
            title,
            "At this rate it will be \(rises ? "above" : "below") \(limit) by \(clock(time, notice.now)). "
                + "It is at \(value) now."
        )
    }

    func other(of parameter: Parameter?, _ notice: Notice) -> Text {
        let alert = parameter.map { "\($0.words.en) alert" } ?? "alert"
        let time = clock(notice.at, notice.now)
        return notice.isOver
            ? ("\(alert) over", "It ended at \(time). AquaMonitor has to be updated to say more.")
            : (alert, "Look at the device: something happened at \(time). AquaMonitor has to be updated to say more.")
    }

    func ended(_ notice: Notice) -> Text {
        (
            "no longer shared with you",
            "That ended at \(clock(notice.now, notice.now)), in the middle of an alarm. You hear nothing more of it: "
                + "ask its owner how the water is."
        )
    }

    var test: Text {
        ("AquaMonitor test notification", "This is how alerts about your water will reach you.")
    }

    /// The 24-hour clock, and the month as a word: unambiguous on both sides of the Atlantic.
    func clock(_ time: CivilTime, _ now: CivilTime) -> String {
        let clock = time.clock(paddedHour: true)
        return time.isSameDay(as: now) ? clock : "\(time.day) \(Self.months[time.month - 1]), \(clock)"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
}

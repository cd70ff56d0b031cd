import Instants

struct English: Phrasebook {
    func alarm(_ trouble: Notice.Trouble) -> Notice.Message {
        Notice.Message(
            title: "\(trouble.deviceName): \(trouble.parameter.words.en) \(degree(trouble)) \(adjective(trouble))",
            body: state(trouble) + hint(trouble))
    }

    func unstable(_ trouble: Notice.Trouble) -> Notice.Message {
        Notice.Message(
            title: "\(trouble.deviceName): \(trouble.parameter.words.en) unstable",
            body: "It keeps leaving your limits and coming back. Now \(trouble.text(trouble.value, .en)), "
                + "\(beyond(trouble)). You hear of it again when it is steady." + hint(trouble))
    }

    func reminder(_ trouble: Notice.Trouble, worst: Float) -> Notice.Message {
        let worst = trouble.isWorse(worst) ? " \(superlative(trouble)) so far: \(trouble.text(worst, .en))." : ""
        return Notice.Message(
            title:
                "\(trouble.deviceName): \(trouble.parameter.words.en) still \(degree(trouble)) \(adjective(trouble))",
            body: state(trouble) + worst + hint(trouble))
    }

    func recovery(_ trouble: Notice.Trouble, at time: CivilTime) -> Notice.Message {
        if trouble.isBeyond {
            return Notice.Message(
                title: "\(trouble.deviceName): \(trouble.parameter.words.en) within your limits",
                body: "Your limits changed; \(trouble.text(trouble.value, .en)) is within them.")
        }
        return Notice.Message(
            title: "\(trouble.deviceName): \(trouble.parameter.words.en) back in range",
            body: "\(trouble.text(trouble.value, .en)) since \(clock(time, trouble.now)). "
                + "It had been \(beyond(trouble)) since \(clock(trouble.since, trouble.now)).")
    }

    func ended(_ parting: Notice.Parting) -> Notice.Message {
        Notice.Message(
            title: "\(parting.deviceName): no longer shared with you",
            body:
                "That ended at \(clock(parting.at, parting.at)), in the middle of an alarm. You hear nothing more of it: "
                + "ask its owner how the water is.")
    }

    func silence(_ quiet: Notice.Quiet, isReminder: Bool) -> Notice.Message {
        let time = clock(quiet.since, quiet.now)
        if let parameter = quiet.parameter?.words.en {
            return Notice.Message(
                title: "\(quiet.deviceName): \(isReminder ? "still no" : "no") \(parameter) readings",
                body: quiet.cause == .anotherProbe
                    ? "None since \(time): another probe answers in place of the one in the water. If it was replaced, choose the new "
                        + "one on the device's page."
                    : "None since \(time), while others still arrive. Check the probe.")
        }
        let since = "Nothing heard since \(time)"
        return Notice.Message(
            title: "\(quiet.deviceName): \(isReminder ? "still no readings" : "no readings")",
            body: quiet.cause == .connected
                ? "\(since), though it is connected. Check the probe." : "\(since). Check its power and its network.")
    }

    func heardAgain(_ quiet: Notice.Quiet, at time: CivilTime) -> Notice.Message {
        let what = quiet.parameter.map { "\($0.words.en) readings" } ?? "readings"
        return Notice.Message(
            title: "\(quiet.deviceName): \(what) again",
            body: "Heard again at \(clock(time, quiet.now)). There had been nothing since "
                + "\(clock(quiet.since, quiet.now)).")
    }

    func fault(_ broken: Notice.Broken, isReminder: Bool) -> Notice.Message {
        let (probe, since) = ("\(broken.parameter.words.en) probe", clock(broken.since, broken.now))
        return Notice.Message(
            title: "\(broken.deviceName): \(isReminder ? "the \(probe) still needs a check" : "check the \(probe)")",
            body: broken.flatAt(.en).map {
                "Its value has stayed at \($0) since \(since). Clean it, and check that it is in the water."
            } ?? "It has reported an error instead of a value since \(since). Check its plug and its cable.")
    }

    func worksAgain(_ broken: Notice.Broken, at time: CivilTime) -> Notice.Message {
        let (time, since) = (clock(time, broken.now), clock(broken.since, broken.now))
        return Notice.Message(
            title: "\(broken.deviceName): the \(broken.parameter.words.en) probe works again",
            body: broken.flatAt(.en).map { "Its value changed at \(time). It had stayed at \($0) since \(since)." }
                ?? "It gave a value at \(time). It had reported an error since \(since).")
    }

    func changing(_ course: Notice.Course, isReminder: Bool) -> Notice.Message {
        let title =
            "\(course.deviceName): \(course.parameter.words.en) \(isReminder ? "still " : "")"
            + "\(course.rises ? "rising" : "falling") fast"
        guard let (by, minutes, to, limit) = course.told(.en) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body:
                "It \(course.rises ? "rose" : "fell") by \(by) within \(minutes == 1 ? "a minute" : "\(minutes) minutes"), "
                + "to \(to). Your limit is \(limit) in an hour.")
    }

    func steady(_ course: Notice.Course, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(course.deviceName): \(course.parameter.words.en) steady again",
            body: "It has changed more slowly since \(clock(time, course.now)). "
                + "It had changed faster than your limit since \(clock(course.since, course.now)).")
    }

    func heading(_ way: Notice.Way) -> Notice.Message {
        let title = "\(way.deviceName): \(way.parameter.words.en) is \(way.rises ? "rising" : "falling")"
        guard let (value, limit, at) = way.told(.en) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body: "At this rate it will be \(way.rises ? "above" : "below") \(limit) by \(clock(at, way.now)). "
                + "It is at \(value) now.")
    }

    func turned(_ way: Notice.Way, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(way.deviceName): \(way.parameter.words.en) not expected to reach your limit soon",
            body: "It has turned or slowed down since \(clock(time, way.now)). "
                + "It had been heading for your limit since \(clock(way.since, way.now)).")
    }

    var test: Notice.Message {
        Notice.Message(
            title: "AquaMonitor test notification", body: "This is how alerts about your water will reach you.")
    }

    /// `since` is the time of leaving the range; the critical limit was crossed later.
    private func state(_ trouble: Notice.Trouble) -> String {
        let (value, since) = (trouble.text(trouble.value, .en), clock(trouble.since, trouble.now))
        return trouble.isCritical
            ? "\(value), \(beyond(trouble)). Outside your limits since \(since)."
            : "\(value), \(beyond(trouble)) since \(since)."
    }

    private func beyond(_ trouble: Notice.Trouble) -> String {
        let limit = trouble.text(trouble.limit, .en)
        let critical = trouble.isCritical ? "critical " : ""
        return trouble.side == .high
            ? "above your \(critical)maximum of \(limit)" : "below your \(critical)minimum of \(limit)"
    }

    private func degree(_ trouble: Notice.Trouble) -> String { trouble.isCritical ? "critically" : "too" }

    private func adjective(_ trouble: Notice.Trouble) -> String {
        trouble.side == .high ? "high" : "low"
    }

    private func superlative(_ trouble: Notice.Trouble) -> String {
        trouble.side == .high ? "Highest" : "Lowest"
    }

    private func hint(_ trouble: Notice.Trouble) -> String {
        trouble.checkProbe ? " This is beyond what the probe can measure, so check the probe as well." : ""
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

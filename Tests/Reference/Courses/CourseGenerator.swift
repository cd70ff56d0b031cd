import TestSupport

/// Generates courses: the same course for the same seed.
struct CourseGenerator {
    private var random: SeededGenerator
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// - Parameter length: The approximate number of messages.
    mutating func course(length: Int) -> Course {
        let shared = [Person.ann, .bob, .cyn].shuffled(using: &random)
        let owner = chance(10) ? Person.solo : shared[0]
        let people = [owner] + (chance(50) ? [shared[1]] : [])
        let quantities: [Quantity] = chance(60) ? [.temperature, .ph] : chance(70) ? [.temperature] : [.ph]
        var watches: [Watch: Limits] = [:]
        var base: [Quantity: Limits] = [:]
        for quantity in quantities {
            base[quantity] = limits(of: quantity)
            for person in people {
                watches[Watch(person: person, quantity: quantity)] =
                    person == owner ? base[quantity] : limits(of: quantity, near: base[quantity])
            }
        }
        var course = Course(seed: seed, owner: owner, watches: watches, events: [])
        add(to: &course, base, length: length)
        if owner != .solo, chance(15) { handOver(&course, to: shared[2], base) }
        addPeriods(to: &course)
        return course
    }

    // MARK: Limits

    private mutating func limits(of quantity: Quantity, near other: Limits? = nil) -> Limits {
        var limits = Limits()
        let low = other?.minimum ?? (quantity == .temperature ? number(180...220) : number(64...74))
        let high = other?.maximum ?? low + (quantity == .temperature ? number(8...80) : number(3...20))
        let shift = other == nil ? 0...0 : -3...3
        limits.minimum = chance(80) ? low + number(shift) : nil
        limits.maximum = chance(80) || limits.minimum == nil ? high + number(shift) : nil
        if let minimum = limits.minimum, let maximum = limits.maximum, minimum >= maximum {
            limits.maximum = minimum + 1
        }
        if chance(30) { limits.delay = number(10...90) }
        if quantity == .temperature, chance(35) {
            limits.criticalMaximum = limits.maximum.map { $0 + number(5...40) }
            limits.criticalMinimum = limits.minimum.map { $0 - number(5...40) }
        } else if chance(20) {
            // One side only: the rules do not say how far unstable water on both sides is one matter.
            limits.tellsUnstable = true
            if limits.maximum != nil { limits.minimum = nil }
        }
        return limits
    }

    /// Gives some watches limits at other times, also where the course changes them on its way. The rules do not say how unstable water is that other
    /// limits make so.
    private mutating func addPeriods(to course: inout Course) {
        for watch in course.watches.keys.sorted() {
            guard let limits = course.watches[watch], !limits.tellsUnstable, chance(30) else { continue }
            let periods = periods(beside: limits)
            course.watches[watch]?.periods = periods
            for (index, event) in course.events.enumerated() {
                guard case .act(.limits(watch, var changed)) = event else { continue }
                changed.periods = periods
                course.events[index] = .act(.limits(watch, changed))
            }
        }
    }

    private mutating func periods(beside limits: Limits) -> [Limits.Period] {
        let minutes = Course.span / 60_000
        let first = number(0...minutes / 2)
        let second = first + number(1...4)
        // One after the other, or with plain limits between them.
        let times = [first..<second, second + number(0...2)..<second + number(3...5)].prefix(number(1...2))
        return times.map { time in
            let shift = number(2...25) * (chance(50) ? 1 : -1)
            let (low, high) = (chance(50) ? shift : 0, chance(80) ? shift : 0)
            var period = Limits.Period(time: time.lowerBound * 60_000..<time.upperBound * 60_000)
            period.minimum = limits.minimum.map { $0 + low }
            period.maximum = limits.maximum.map { $0 + high }
            if let minimum = period.minimum, let maximum = period.maximum, minimum >= maximum {
                period.minimum = nil
            }
            period.criticalMinimum = period.minimum == nil ? nil : limits.criticalMinimum.map { $0 + low }
            period.criticalMaximum = limits.criticalMaximum.map { $0 + high }
            return period
        }
    }

    // MARK: Readings and acts

    private mutating func add(to course: inout Course, _ base: [Quantity: Limits], length: Int) {
        var scripts = Dictionary(uniqueKeysWithValues: base.map { ($0, WaterScript($0, $1)) })
        var readings: [Reading] = []
        var time = -number(500_000...1_500_000)
        // Readings too old for alerts come first, far enough apart that none is a suspected spike.
        if chance(40) {
            for _ in 0..<number(1...3) {
                readings.append(Reading(time: time - 480_000, values: values(&scripts, course)))
                time += number(320_000...400_000)
            }
            readings = readings.filter { $0.time < Course.span - 900_000 - 120_000 }
        }
        time = number(0...60_000)
        let pace = (Course.span - 80_000) / length
        for _ in 0..<length {
            time += chance(15) ? number(200...1_900) : number(pace / 2...pace * 3 / 2)
            readings.append(Reading(time: time, values: values(&scripts, course)))
        }
        // The rules do not cover a late value of a probe that has broken since, so such courses have no late readings.
        let breaks = course.quantities.count == 2 && chance(30)
        if breaks { readings = broken(readings, course) }
        course.events = cleared(disturbed(readings, course, isLate: !breaks))
    }

    private mutating func values(
        _ scripts: inout [Quantity: WaterScript], _ course: Course
    ) -> [Quantity: Reading.Value] {
        var values: [Quantity: Reading.Value] = [:]
        for quantity in course.quantities {
            guard var script = scripts[quantity] else { continue }
            // Missing: the script stands still.
            if !values.isEmpty && chance(6) { continue }
            values[quantity] = .water(script.next(&random))
            scripts[quantity] = script
        }
        return values
    }

    /// Breaks one of two probes for a while, or for a single message; the other one goes on.
    private mutating func broken(_ readings: [Reading], _ course: Course) -> [Reading] {
        guard course.quantities.count == 2, let quantity = course.quantities.randomElement(using: &random) else {
            return readings
        }
        var readings = readings.filter { $0.values.count == 2 }
        for _ in 0..<number(1...3) {
            let start = number(0...readings.count - 1)
            let pause = chance(40) ? number(0...50_000) : number(75_000...140_000)
            let pieces = readings[start...].prefix { $0.time <= readings[start].time + pause }
            // Clearly less than the minute that proves a fault, or clearly more.
            let length = (pieces.last?.time ?? 0) - readings[start].time
            guard length < 55_000 || length > 65_000 else { continue }
            for index in pieces.indices { readings[index].values[quantity] = .sentinel }
        }
        return readings
    }

    /// The events in their order of arrival: late readings, repeated ones, and people's actions.
    private mutating func disturbed(_ readings: [Reading], _ course: Course, isLate: Bool) -> [CourseEvent] {
        var readings = readings
        for index in readings.indices.dropLast(3) where isLate && chance(3) {
            let late = readings.remove(at: index)
            readings.insert(late, at: min(index + number(1...3), readings.count))
        }
        var events: [CourseEvent] = []
        for (index, reading) in readings.enumerated() {
            if chance(18), let act = act(course) { events.append(.act(act)) }
            events.append(.reading(reading))
            if chance(4) { events.append(.reading(readings[number(max(0, index - 4)...index)])) }
        }
        return events
    }

    /// Removes changes so close to a spike's threshold that digits beyond the sensor's precision would decide.
    private func cleared(_ events: [CourseEvent]) -> [CourseEvent] {
        var last: [Quantity: (time: Int, value: Int)] = [:]
        var clear: [Int: Reading] = [:]
        return events.map { event in
            guard case .reading(var reading) = event else { return event }
            if let known = clear[reading.time] { return .reading(known) }  // sent twice
            for (quantity, value) in reading.values {
                guard case .water(var hundredths) = value, reading.time > last[quantity]?.time ?? Int.min else {
                    continue
                }
                if let before = last[quantity]?.value {
                    let isWhole = hundredths % 10 == 0 && before % 10 == 0
                    let move = abs(hundredths - before)
                    let isClose = [quantity.spike, Quantity.criticalSpike].contains { abs(move - $0 * 10) <= 12 }
                    if !isWhole && isClose { hundredths = before }
                }
                last[quantity] = (reading.time, hundredths)
                reading.values[quantity] = .water(hundredths)
            }
            clear[reading.time] = reading
            return .reading(reading)
        }
    }

    private mutating func act(_ course: Course) -> Act? {
        guard let watch = course.watches.keys.sorted().randomElement(using: &random) else { return nil }
        switch number(0...20) {
        case 0...3:
            guard var limits = course.watches[watch] else { return nil }
            limits.minimum = limits.minimum.map { $0 + number(-8...4) }
            limits.maximum = limits.maximum.map { $0 + number(-4...8) }
            if let minimum = limits.minimum, let maximum = limits.maximum, minimum >= maximum { return nil }
            if let critical = limits.criticalMaximum, let maximum = limits.maximum, critical <= maximum { return nil }
            if let critical = limits.criticalMinimum, let minimum = limits.minimum, critical >= minimum { return nil }
            return .limits(watch, limits)
        case 4, 5: return .snooze(watch)
        case 6...9: return .acknowledge(watch)
        case 10, 11: return .wake(watch)
        case 12...15: return watch.person == .solo ? .addEndpoint(.solo) : .freeze(watch.person)
        case 16, 17: return watch.person == .solo ? .removeEndpoint(.solo) : .freeze(watch.person)
        case 18, 19: return watch.person == .solo ? .removeEndpoint(.solo) : .thaw(watch.person)
        default: return .leave(watch.person)
        }
    }

    /// Gives the device another owner, for whom late readings decide nothing, and continues the water.
    private mutating func handOver(_ course: inout Course, to person: Person, _ base: [Quantity: Limits]) {
        let next = base.mapValues { limits in
            var limits = limits
            (limits.delay, limits.tellsUnstable) = (0, false)
            return limits
        }
        course.events.append(.act(.handOver(person, next)))
        func reading(_ time: Int, _ steps: (Limits) -> Int) -> CourseEvent {
            .reading(Reading(time: time, values: next.mapValues { .water(steps($0) * 10) }))
        }
        func outside(_ limits: Limits) -> Int { limits.maximum.map { $0 + 2 } ?? (limits.minimum ?? 0) - 2 }
        course.events.append(reading(Course.span - 5_000, outside))
        for index in 0..<8 {
            let isOut = [2, 3, 4].contains(index)
            course.events.append(
                reading(Course.handOver + 3_000 * (index + 1)) { limits in
                    // Inside by the dead band, but so close to the limit that it makes no jump.
                    isOut ? outside(limits) : limits.maximum.map { $0 - 1 } ?? (limits.minimum ?? 0) + 1
                })
        }
    }
}

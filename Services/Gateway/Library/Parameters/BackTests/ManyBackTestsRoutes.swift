import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route that tries limits on many devices before they are set.
enum ManyBackTestsRoutes {
    static let all = [test].forProjects()

    /// The most readings that are decided on of one device: more than one that sends every 30 seconds has in 30 days. Of one that sends more often
    /// the newest count.
    private static let mostReadings = 100_000

    private static let devices = Input.field(
        "devices", Format<[Device.HardwareID]>.list(of: .hardwareID, count: 1...8), "The devices, each once.")
    private static let limits = Input.field(
        "limits", Format<LimitChange>.wholeLimits,
        "The limits to try, and what stands beside them: what is left out is as each device has it.")
    private static let days = Input<Int>.field("days", .integer(1...30), default: 30, "So many days back.")

    private static let test = Route<Caller>(
        .post, "/parameters/back-tests", id: "testLimitsOfMany", tag: ParameterRoutes.tag, access: .read,
        "Show what limits would have told of many devices",
        text: """
            Nothing is changed. Decides on each device's stored readings twice, by the limits that it has now and by those to try, as a back-test of \
            one device does; limits at other times hold in theirs. One runs at a time for a person, and few in all: 429 tells when to ask again.
            """,
        inputs: [devices, limits, days], answers: .json(.ok, .list(of: TriedDevice.output)), problems: [.notFound],
        limit: .heavy,
        handle: { caller, inputs in
            let (scope, ids, wish, days) = (caller.scope, inputs[devices], inputs[limits], inputs[days])
            guard Set(ids).count == ids.count else { throw Problem(devices, .repeated) }
            let (account, zone) = try await scope.transaction(TransactionOptions(isReadOnly: true)) {
                transaction, account in
                (account, try transaction.execute(ReadTimeZone(of: account)).first ?? "UTC")
            }
            let change = wish.whole(zone: zone)
            return try await scope.services.manyBackTests.run(for: account) {
                var tried: [TriedDevice] = []
                for id in ids {
                    let subject = try await scope.watch(wish.parameter, of: id)
                    guard subject.isCurrent else { throw Problem(.notFound) }
                    let next = try next(change, of: subject)
                    tried.append(try await scope.tried(next, on: id, subject, days: days, most: mostReadings))
                }
                return .value(tried)
            }
        })

    /// The range that a device would have; nil where it has another limit that the wish would cross.
    private static func next(_ change: RangeChange, of subject: WatchSubject) throws -> PersonalRange? {
        do throws(RangeChange.Fault) {
            return try change.applied(to: subject.range)
        } catch {
            switch error {
            case .range(.limitsCross), .critical(.minimumNotBelow), .critical(.maximumNotAbove): return nil
            default: throw Problem(limits, change.told(error, of: subject.range))
            }
        }
    }
}

extension Scope {
    fileprivate func tried(
        _ next: PersonalRange?, on id: Device.HardwareID, _ subject: WatchSubject, days: Int, most: Int
    ) async throws -> TriedDevice {
        let period = subject.now - .seconds(86_400 * days)..<subject.now + EventTime.furthestAhead
        let past = try await pastReadings(of: subject.watch, in: period, most: most)
        let ranges = [subject.range] + (next.map { [$0] } ?? [])
        let (work, turns) = try await transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            (
                try transaction.execute(ListWork(on: subject.watch.device, in: period)).moved(by: .zero - subject.lag),
                try transaction.turns(of: ranges, in: period).map { $0.moved(by: .zero - subject.lag) }
            )
        }
        let policy = subject.policy(services.policy)
        let tests = try zip(ranges, turns).map { range, turns in
            BackTest(
                try SafeRange(range.parameter, minimum: range.minimum, maximum: range.maximum),
                rules: try range.rules, policy: policy, work: work,
                timed: turns.isEmpty ? nil : try TimedLimits(range, turns))
        }
        let told = try await past.run(tests).map(TriedDevice.Told.init)
        return TriedDevice(
            device: id, since: past.first, isTooNew: BackTest.isTooNew(since: past.first, now: subject.now),
            present: told[0], next: next == nil ? nil : told[1])
    }
}

/// The alarms that a device's limits would have told.
private struct TriedDevice: Sendable {
    struct Told: Sendable {
        let alarms: Int
        let courseAlarms: Int
        let reminders: Int

        init(_ test: BackTest) {
            alarms = test.alarmCount
            courseAlarms = test.alarmCount(of: .rate) + test.alarmCount(of: .ahead)
            reminders = test.reminderCount
        }

        static let output = Output<Told>.object(
            "ToldByLimits", "What limits would have told.",
            [
                .member("alarms", .integer, "How many episodes would have raised an alarm by value.", example: 4) {
                    $0.alarms
                },
                .member(
                    "courseAlarms", .integer, "How many would have by rate, or ahead of a limit.", example: 0
                ) { $0.courseAlarms },
                .member("reminders", .integer, "How many alerts would have followed while they lasted.", example: 12) {
                    $0.reminders
                },
            ])
    }

    let device: Device.HardwareID
    /// The time of the first reading that counts.
    let since: Timestamp?
    let isTooNew: Bool
    let present: Told
    let next: Told?

    static let output = Output<TriedDevice>.object(
        "TriedDevice", "A device, and what its limits would have told.",
        [
            .member("device", .text, "The device's id.", example: "pond-1") { $0.device.text },
            .member(
                "since", .optional(of: .timestamp), "When the first reading was taken that counts; null: there is none."
            ) { $0.since },
            .member(
                "tooNew", .boolean, "Whether there is less than a day of readings, which says nothing.", example: false
            ) { $0.isTooNew },
            .member("present", Told.output, "By the limits that it has now.") { $0.present },
            .member(
                "next", .optional(of: Told.output),
                "By those that were tried; null: it has another limit, which they would cross."
            ) { $0.next },
        ])
}

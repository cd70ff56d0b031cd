import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Ingestor
@testable import Store

/// Live data, read with the Gateway's rights.
@Suite struct LiveTests {
    private struct Room: Sendable {
        let fixture: SchemaFixture
        let gateway: PostgresConnection
        let device: DeviceKey
        let ann: Account.ID
        let bob: Account.ID
        let now: Timestamp

        /// Runs a statement as a person.
        func execute<S: Statement>(_ statement: S, as person: Account.ID) async throws -> [S.Row] {
            try await gateway.transaction { transaction in
                try transaction.perform(NamePerson(person))
                return try transaction.execute(statement)
            }
        }

        func ticket(_ person: Account.ID) async throws -> LiveTicket {
            try #require(try await execute(TakeLiveTicket(), as: person).first.flatMap(\.self))
        }

        func store(_ values: [Parameter: Float], at time: Timestamp) async throws {
            var readings = Readings()
            for (parameter, value) in values { readings[parameter] = value }
            try await fixture.owner.perform(
                InsertNewSamples([
                    Sample(
                        slot: device.slot, device: device.device, at: EventTime(device: time, receipt: time),
                        receivedAt: now, readings: readings)
                ]))
        }

        func unlink(_ person: Account.ID) async throws {
            try await fixture.owner.executeScript(
                "UPDATE ownership SET unlinked_at = now() WHERE account_id = \(person.rawValue) AND unlinked_at IS NULL"
            )
        }

        func watch(_ person: Account.ID, since: Timestamp) async throws {
            try await fixture.owner.executeScript(
                """
                INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at) VALUES
                    (\(device.slot.rawValue), \(device.device.rawValue), \(person.rawValue), 'watcher', 'Pond', '\(since)')
                """)
        }
    }

    private static func with(_ body: @Sendable (Room) async throws -> Void) async throws {
        try await SchemaFixture.with { fixture in
            let device = try await fixture.addDevice("tank-1")
            let (ann, bob) = (try await fixture.addAccount("ann"), try await fixture.addAccount("bob"))
            try await fixture.link(device, to: ann)
            try await fixture.owner.executeScript(NamePerson.leave)
            let gateway = try await SchemaFixture.connect(fixture.database, .gateway)
            let now = try #require(try await fixture.owner.execute(ReadClock()).first)
            try await body(Room(fixture: fixture, gateway: gateway, device: device, ann: ann, bob: bob, now: now))
            await gateway.close()
        }
    }

    @Test func theLastValueOfEachParameterIsFoundWhereverItIs() async throws {
        try await Self.with { room in
            let hour = (room.now - .seconds(3 * 86_400)).roundedDown(to: RollUpSchedule.hour)
            try await room.store([.ph: 7.1, .salinity: 3.0], at: hour + .seconds(60))
            try await room.store([.ph: 7.2], at: hour + .seconds(120))
            try await room.store([.temperature: 20], at: room.now - .seconds(60))
            try await room.store([.temperature: 21, .nitrate: 5], at: room.now - .seconds(30))
            // Hours until one hour ago are rolled up: older values are found by their hour.
            try await room.fixture.owner.executeScript(
                """
                UPDATE rollup_progress SET hours_since = least(hours_since, date_trunc('hour', now()) - interval '1 hour'),
                    hours_until = date_trunc('hour', now()) - interval '1 hour';
                INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count,
                    salinity_sum, salinity_min, salinity_max, salinity_count)
                VALUES (\(room.device.slot.rawValue), \(room.device.device.rawValue), '\(hour)', 14.3, 7.1, 7.2, 2, 3, 3, 3, 1);
                INSERT INTO sample_day (slot, device_id, starts_at, ph_count, salinity_count)
                SELECT slot, device_id, date_bin('24 hours', starts_at, 'epoch'), ph_count, salinity_count FROM sample_hour;
                """)
            let rows = try await room.execute(LatestReadings(), as: room.ann)
            #expect(
                Dictionary(uniqueKeysWithValues: rows.map { ($0.parameter, $0.value) })
                    == [.temperature: 21, .ph: 7.2, .nitrate: 5, .salinity: 3])
            #expect(rows.map(\.parameter) == [.temperature, .ph, .nitrate, .salinity])
            #expect(rows.first?.time == room.now - .seconds(30))
            #expect(rows[1].time == hour + .seconds(120))
            #expect(rows.allSatisfy { $0.side == nil })
            // A late value for a rolled-up hour is found before that hour is rolled up again.
            try await room.store([.hardness: 300], at: hour + .seconds(180))
            try await room.fixture.owner.executeScript(
                """
                INSERT INTO rollup_due (slot, device_id, hour)
                VALUES (\(room.device.slot.rawValue), \(room.device.device.rawValue), '\(hour)')
                """)
            let late = try await room.execute(LatestReadings(), as: room.ann)
            #expect(late.map(\.parameter) == [.temperature, .ph, .nitrate, .hardness, .salinity])
            try await room.fixture.owner.executeScript("DELETE FROM sample WHERE hardness IS NOT NULL")
            let tank = try #require(Device.HardwareID("tank-1"))
            let alone = try await room.execute(LatestReadings(of: tank), as: room.ann)
            #expect(alone.map(\.parameter) == rows.map(\.parameter) && alone.map(\.time) == rows.map(\.time))
            #expect(alone.map(\.value) == rows.map(\.value))
            let other = try #require(Device.HardwareID("tank-2"))
            #expect(try await room.execute(LatestReadings(of: other), as: room.ann).isEmpty)
            #expect(try await room.execute(LatestReadings(), as: room.bob).isEmpty)
            try await room.unlink(room.ann)
            #expect(try await room.execute(LatestReadings(), as: room.ann).isEmpty)
        }
    }

    @Test func anOpenEpisodeShowsInTheLastValue() async throws {
        try await Self.with { room in
            try await room.store([.ph: 9.1], at: room.now)
            try await room.fixture.owner.executeScript(
                """
                INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at)
                VALUES (\(room.device.slot.rawValue), 1, \(room.device.device.rawValue), \(room.ann.rawValue), 1, 'range',
                    'high', '\(room.now)', '\(room.now)')
                """)
            let row = try #require(try await room.execute(LatestReadings(), as: room.ann).first)
            #expect(row.side == .high)
            #expect(row.openedAt == room.now)
            #expect(row.maximum == 85)
        }
    }

    @Test func aDeviceIsTellableOnlyToThoseWhoHaveItNow() async throws {
        try await Self.with { room in
            let (ann, bob) = (try await room.ticket(room.ann), try await room.ticket(room.bob))
            let pairs = [(device: room.device, ticket: ann), (device: room.device, ticket: bob)]
            func people() async throws -> [Account.ID] {
                try await room.gateway.execute(FindLiveDevices(pairs)).map(\.account).sorted()
            }
            #expect(try await people() == [room.ann])
            try await room.watch(room.bob, since: room.now)
            #expect(try await people() == [room.ann, room.bob])
            #expect(try await room.gateway.execute(FindFollowedDevices(of: [bob])).map(\.device) == [room.device])
            try await room.unlink(room.bob)
            #expect(try await people() == [room.ann])
            try await room.unlink(room.ann)
            #expect(try await people() == [])
            try await room.store([.ph: 7], at: room.now)
            #expect(try await room.gateway.execute(FindLiveSamples([(room.device, nil)], for: [ann, bob])).isEmpty)
        }
    }

    /// Times of a silence are ours; the others are by the device's clock, which is an hour behind. Others' are others'.
    @Test func whatGoesOnBesideValuesIsFoundWithItsTime() async throws {
        try await Self.with { room in
            try await room.watch(room.bob, since: room.now)
            try await room.fixture.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 3600 FROM device;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                    closed_because)
                SELECT d.slot, d.device_id, n.parameter, n.account, n.number, n.kind, n.side, '\(room.now)', now(), n.closed,
                    CASE WHEN n.closed IS NOT NULL THEN 'recovered' END
                FROM device d, (VALUES
                    (1, \(room.ann.rawValue), 'silence', NULL, NULL, NULL::timestamptz),
                    (2, \(room.ann.rawValue), 'fault', 1, NULL, NULL),
                    (3, \(room.ann.rawValue), 'rate', 0, NULL, now()),
                    (4, \(room.ann.rawValue), 'range', 0, 'high', NULL),
                    (5, \(room.bob.rawValue), 'ahead', 7, NULL, NULL)) n (number, account, kind, parameter, side, closed)
                """)
            let (ann, bob) = (try await room.ticket(room.ann), try await room.ticket(room.bob))
            func troubles(_ ticket: LiveTicket) async throws -> [LiveDevice.Trouble]? {
                try await room.gateway.execute(FindLiveDevices([(device: room.device, ticket: ticket)])).first?.troubles
            }
            let late = room.now + .seconds(3_600)
            #expect(
                try await troubles(ann) == [
                    .init(.init(kind: .known(.fault), parameter: .known(.ph)), openedAt: late),
                    .init(.init(kind: .known(.silence), parameter: nil), openedAt: room.now),
                ])
            #expect(
                try await troubles(bob) == [
                    .init(.init(kind: .known(.ahead), parameter: .known(.dissolvedOxygen)), openedAt: late)
                ])
            try await room.fixture.database.sql(
                """
                ALTER TABLE episode DROP CONSTRAINT episode_kind_check, DROP CONSTRAINT episode_parameter_check;
                UPDATE episode SET kind = 'forecast', parameter = 99 WHERE kind = 'ahead'
                """)
            #expect(
                try await troubles(bob) == [
                    .init(.init(kind: .other("forecast"), parameter: .other(99)), openedAt: room.now)
                ], "of a newer version, whose clock is not known")
            try await room.unlink(room.bob)
            #expect(try await troubles(bob) == nil)
        }
    }

    @Test func samplesSinceATimeIncludeThatTimeAndNothingOfBefore() async throws {
        try await Self.with { room in
            for second in 0..<3 { try await room.store([.ph: Float(second)], at: room.now + .seconds(second)) }
            let ann = try await room.ticket(room.ann)
            func values(_ since: Timestamp?) async throws -> [Float?] {
                try await room.gateway.execute(FindLiveSamples([(room.device, since)], for: [ann])).map {
                    $0.readings[.ph]
                }
            }
            #expect(try await values(nil) == [2, 1, 0])
            #expect(try await values(room.now + .seconds(1)) == [2, 1])
            for index in 0..<60 { try await room.store([.ph: 5], at: room.now + .seconds(10) + .milliseconds(index)) }
            #expect(try await values(room.now).count == 50)
        }
    }

    @Test func aWatcherSeesNothingOfBefore() async throws {
        try await Self.with { room in
            try await room.store([.ph: 1], at: room.now - .seconds(60))
            try await room.store([.ph: 2], at: room.now + .seconds(1))
            try await room.watch(room.bob, since: room.now)
            let since = room.now - .seconds(30)
            #expect(
                try await room.execute(ReplaySamples(since: since, limit: 10), as: room.ann).map {
                    $0.sample.readings[.ph]
                } == [1, 2])
            #expect(
                try await room.execute(ReplaySamples(since: since, limit: 10), as: room.bob).map {
                    $0.sample.readings[.ph]
                } == [2])
            #expect(try await room.execute(ReplaySamples(since: since, limit: 1), as: room.ann).count == 1)
            #expect(
                try await room.execute(ReplaySamples(since: room.now + .seconds(9), limit: 9), as: room.ann).isEmpty)
            let bob = try await room.ticket(room.bob)
            let live = try await room.gateway.execute(FindLiveDevices([(device: room.device, ticket: bob)]))
            #expect(live.map(\.readableFrom) == [room.now])
            let samples = FindLiveSamples([(room.device, room.now - .seconds(90))], for: [bob])
            #expect(try await room.gateway.execute(samples).map { $0.readings[.ph] } == [2])
        }
    }

    /// A forged, extended or swapped ticket returns nothing: the Gateway's role alone gives no access to a person's
    /// data.
    @Test func nobodyIsToldOfThoseWhoHaveGivenNoTicket() async throws {
        try await Self.with { room in
            try await room.store([.ph: 7], at: room.now)
            let ann = try await room.ticket(room.ann)
            let parts = ann.rawValue.split(separator: " ")
            let other = LiveTicket(rawValue: "\(room.ann.rawValue) \(parts[1]) \(parts[2].reversed())")
            let longer = LiveTicket(rawValue: "\(parts[0]) \((Int64(parts[1]) ?? 0) + 1) \(parts[2])")
            let bob = try await room.ticket(room.bob)
            let swapped = LiveTicket(rawValue: bob.rawValue.replacing("\(room.bob.rawValue) ", with: "\(parts[0]) "))
            for ticket in [other, longer, swapped, LiveTicket(rawValue: ""), LiveTicket(rawValue: "\(parts[0])")] {
                #expect(try await room.gateway.execute(FindFollowedDevices(of: [ticket])).isEmpty)
                #expect(try await room.gateway.execute(FindSetupVersions(of: [ticket])).isEmpty)
                #expect(try await room.gateway.execute(FindLiveSamples([(room.device, nil)], for: [ticket])).isEmpty)
                #expect(
                    try await room.gateway.execute(FindLiveDevices([(device: room.device, ticket: ticket)])).isEmpty)
            }
            // The answers follow the order of the pairs: an invalid ticket does not take another's place.
            let pairs = [(device: room.device, ticket: other), (device: room.device, ticket: ann)]
            #expect(try await room.gateway.execute(FindLiveDevices(pairs)).map(\.account) == [room.ann])
            #expect(try await room.gateway.execute(TakeLiveTicket()) == [nil], "nobody is named")
        }
    }

    @Test func aTicketEnds() async throws {
        try await Self.with { room in
            let seal = "SELECT p || ' ' || t || ' ' || seal_of(format('live %s %s', p, t)) FROM (VALUES "
            for (seconds, count) in [(60, 1), (-1, 0)] {
                let ticket = try await room.fixture.database.sql(
                    seal + "(\(room.ann.rawValue), (extract(epoch FROM now()) + \(seconds))::bigint)) AS v (p, t)")
                let found = try await room.gateway.execute(FindFollowedDevices(of: [LiveTicket(rawValue: ticket)]))
                #expect(found.count == count)
            }
        }
    }

    @Test func theSlotsOfAllGatewaysAreFollowedForAWhile() async throws {
        try await Self.with { room in
            let ingestor = try await SchemaFixture.connect(room.fixture.database, .ingestor)
            func followed() async throws -> SlotSet? { try await ingestor.execute(FindFollowedSlots()).first }
            #expect(try await followed() == SlotSet())
            try await room.gateway.perform(FollowSlots(1, SlotSet([Slot.all[0], Slot.all[63]]), lasting: .seconds(60)))
            try await room.gateway.perform(FollowSlots(2, SlotSet([Slot.all[5]]), lasting: .seconds(60)))
            #expect(try await followed() == SlotSet([Slot.all[0], Slot.all[5], Slot.all[63]]))
            #expect(
                try await ingestor.execute(AddEvaluationBatches([])).first?.followed
                    == SlotSet([Slot.all[0], Slot.all[5], Slot.all[63]]))
            try await room.gateway.perform(FollowSlots(1, SlotSet([Slot.all[1]]), lasting: .seconds(60)))
            try await room.gateway.perform(Unfollow(2))
            #expect(try await followed() == SlotSet([Slot.all[1]]))
            // The lease of a Gateway that has died runs out.
            try await room.gateway.perform(FollowSlots(1, SlotSet([Slot.all[1]]), lasting: .seconds(-1)))
            #expect(try await followed() == SlotSet())
            await ingestor.close()
        }
    }

    @Test(arguments: [0, 1, 700, 8_000, 8_001]) func aNoticeNamesItsDevices(_ count: Int) {
        let devices = (0..<count).map { Device.ID(rawValue: Int32.max - Int32($0)) }
        let payloads = ReadingNotice(devices).payloads
        #expect(payloads.allSatisfy { $0.utf8.count < 8_000 })
        let read = payloads.map(ReadingNotice.init(payload:))
        if count > 8_000 {
            #expect(read == [ReadingNotice(payload: "*")])
            #expect(read[0].devices == nil)
        } else {
            #expect(read.flatMap { $0.devices ?? [] } == devices)
        }
    }

    @Test(arguments: ["", "*", "1,", ",", "1,x", "1 ", "99999999999", "1,,2"]) func anythingElseStandsForAll(
        _ payload: String
    ) {
        #expect(ReadingNotice(payload: payload).devices == nil)
    }

    /// During an upgrade a newer version stores what this one has no word for. It is listed all the same, and fails nothing.
    @Test func wordsOfANewerVersionAreListed() async throws {
        try await Self.with { room in
            try await room.fixture.database.sql(
                """
                ALTER TABLE alert DROP CONSTRAINT alert_kind_check, DROP CONSTRAINT alert_purpose_check,
                    DROP CONSTRAINT alert_state_check, DROP CONSTRAINT alert_parameter_check;
                ALTER TABLE snooze DROP CONSTRAINT snooze_kind_check;
                SET session_replication_role = replica;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, state, side,
                    value, limit_value, opened_at, event_time, decided_at)
                SELECT \(room.device.slot.rawValue), \(room.device.device.rawValue), CASE n WHEN 5 THEN 99 ELSE 1 END,
                    \(room.ann.rawValue), n, ('00000000-0000-7000-8000-00000000000' || n)::uuid, 1,
                    CASE n WHEN 2 THEN 'forecast' ELSE 'range' END, CASE n WHEN 3 THEN 'hint' ELSE 'alarm' END,
                    CASE n WHEN 4 THEN 'queued' ELSE 'decided' END, 'high', 9, 8, now(), now(), now() - n * interval '1 s'
                FROM generate_series(1, 5) n;
                INSERT INTO snooze (slot, device_id, account_id, kind, parameter, set_at, snoozed_until)
                SELECT \(room.device.slot.rawValue), \(room.device.device.rawValue), \(room.ann.rawValue), n.kind, n.parameter, now(),
                    now() + interval '1 hour'
                FROM (VALUES ('forecast', 1), ('silence', 99)) AS n (kind, parameter);
                """)
            let kinds = ["range", "forecast", "range", "range", "range"]
            let purposes = ["alarm", "alarm", "hint", "alarm", "alarm"]
            let states = ["decided", "decided", "decided", "queued", "decided"]
            let live = try await room.gateway.execute(
                FindLiveAlerts(of: [try await room.ticket(room.ann)], since: room.now - .seconds(60)))
            #expect(live.map(\.kind.rawValue) == kinds && live.map(\.purpose.rawValue) == purposes)
            #expect(live.map(\.state.rawValue) == states && live.map(\.parameter) == [.ph, .ph, .ph, .ph, nil])
            let page = try await room.execute(
                PageAlerts(of: room.ann, below: .newest, PageAlerts.Filter(), limit: 10), as: room.ann)
            #expect(page.map(\.kind.rawValue) == kinds && page.map(\.purpose.rawValue) == purposes)
            #expect(page.map(\.state.rawValue) == states)
            #expect(page.map { $0.content.range != nil } == [true, false, true, true, false])
            let titles = page.map(\.message.title)
            #expect(titles[0] == titles[3] && titles[1] == titles[2] && Set(titles).count == 3, "\(titles)")
            for number: UInt128 in 1...5 {
                let uid = Alert.UID(rawValue: 7 << 76 | 0x8000 << 48 | number)
                #expect(try await room.execute(ReadAlert(uid, of: room.ann), as: room.ann).count == 1)
            }
            let snoozes = try await room.execute(ListSnoozes(of: room.ann), as: room.ann)
            #expect(snoozes.map(\.kind.rawValue) == ["forecast", "silence"])
            #expect(snoozes.map(\.parameter?.name) == ["ph", "99"])
        }
    }
}

/// Names the person of a transaction without a session.
private struct NamePerson: Statement {
    static let sql = "SELECT name_person($1)"
    /// Granted only in tests.
    static let leave = "GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway"
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
}

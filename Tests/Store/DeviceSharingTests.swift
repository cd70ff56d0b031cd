import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Sharing one device between an owner and watchers: joining, leaving, and what ends with whom.
@Suite struct DeviceSharingTests {
    @Test func anInvitationMakesOneWatcherWithTheirOwnSettings() async throws {
        try await SharingScene.with { scene in
            let (lee, ann) = (
                try await scene.fixture.addAccount("lee"), try await scene.fixture.addAccount("ann")
            )
            let invitation = try #require(try await scene.invite(1))
            #expect(invitation.state == .open)
            #expect(try await scene.join(1, scene.kim) == .own)
            #expect(try await scene.join(2, lee) == .unknown)
            #expect(try await scene.join(1, lee) == .joined)
            #expect(try await scene.join(1, lee) == .watching)
            #expect(try await scene.join(1, ann) == .used)
            #expect(
                try await scene.sql(
                    "SELECT role, name, (SELECT count(*) FROM setting s WHERE s.account_id = o.account_id) FROM ownership o ORDER BY role"
                ) == "owner|Pond|\(SchemaFixture.defaults.count)\nwatcher|Pond|\(SchemaFixture.defaults.count)")
            try await scene.fixture.owner.executeScript("SET aqua.account = '\(scene.kim.rawValue)'")
            let watchers = try await scene.fixture.owner.execute(ListWatchers(of: scene.device))
            #expect(watchers.map(\.name) == ["lee"])
            #expect(try await scene.sql("SELECT min(linked_at) < max(linked_at) FROM ownership") == "t")
        }
    }

    @Test func anExpiredOrRevokedInvitationIsWorthNothing() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            let first = try #require(try await scene.invite(1))
            _ = try await scene.sql(
                "UPDATE device_invitation SET created_at = now() - interval '2 s', expires_at = now() - interval '1 s'")
            #expect(try await scene.join(1, lee) == .expired)
            let second = try #require(try await scene.invite(2))
            #expect(first.id != second.id)
            let listed = try await scene.fixture.owner.execute(ListDeviceInvitations(of: scene.device, by: scene.kim))
            #expect(listed.map(\.state) == [.open, .expired])
            let revoke = RevokeDeviceInvitation(second.id, of: scene.device, by: lee)
            #expect(try await scene.fixture.owner.perform(revoke) == 0, "it is not Lee's")
            let revoked = RevokeDeviceInvitation(second.id, of: scene.device, by: scene.kim)
            #expect(try await scene.fixture.owner.perform(revoked) == 1)
            #expect(try await scene.join(2, lee) == .unknown)
        }
    }

    @Test func onlyTheOwnerInvites() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            #expect(try await scene.invite(1, by: lee) == nil)
            _ = try await scene.invite(2)
            #expect(try await scene.join(2, lee) == .joined)
            #expect(try await scene.invite(3, by: lee) == nil)
        }
    }

    @Test func placesBoundTheInvitations() async throws {
        try await SharingScene.with { scene in
            for token in 1...UInt8(AddDeviceInvitation.most) { #expect(try await scene.invite(token) != nil) }
            #expect(try await scene.invite(100) == nil)
            let lee = try await scene.fixture.addAccount("lee")
            #expect(try await scene.join(7, lee) == .joined)
            #expect(try await scene.invite(100) != nil, "in the place of the used one")
            #expect(try await scene.invite(101) == nil)
            #expect(try await scene.join(7, lee) == .unknown)
        }
    }

    @Test func aDeviceHasTwentyWatchersAtMost() async throws {
        try await SharingScene.with { scene in
            for number in 1...UInt8(JoinDevice.most) + 1 {
                _ = try await scene.invite(number)
                let person = try await scene.fixture.addAccount("watcher-\(number)")
                #expect(try await scene.join(number, person) == (number > JoinDevice.most ? .full : .joined))
            }
        }
    }

    @Test func thoseWhoJoinAtOnceDoNotPassTheBound() async throws {
        try await SharingScene.with { scene in
            var tokens: [(UInt8, Account.ID)] = []
            for number in 1...UInt8(JoinDevice.most) - 1 {
                _ = try await scene.invite(number)
                _ = try await scene.join(number, try await scene.fixture.addAccount("watcher-\(number)"))
            }
            for number in 100...105 as ClosedRange<UInt8> {
                _ = try await scene.invite(number)
                tokens.append((number, try await scene.fixture.addAccount("watcher-\(number)")))
            }
            let outcomes = try await withThrowingTaskGroup(of: JoinDevice.Outcome.self) { group in
                for (token, account) in tokens {
                    group.addTask {
                        let connection = try await SchemaFixture.connect(scene.fixture.database, .owner)
                        let statement = JoinDevice(tokenHash: scene.hash(token), account: account)
                        let outcome = try await connection.execute(statement)[0].outcome
                        await connection.close()
                        return outcome
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .joined } == 1 && outcomes.count { $0 == .full } == 5)
        }
    }

    private static let rules = """
        SELECT unit, minimum, maximum, critical_maximum, delay_seconds, tells_unstable, change_per_hour, ahead_minutes
        FROM setting WHERE parameter = 0 AND valid_until IS NULL AND account_id =
        """

    /// A watcher starts with a copy of the owner's limits and rules. Later changes apply to the watcher alone.
    @Test func aWatcherBeginsWithTheOwnersLimitsAndRules() async throws {
        try await SharingScene.with { scene in
            let (lee, ann) = (try await scene.fixture.addAccount("lee"), try await scene.fixture.addAccount("ann"))
            try await scene.sql(
                """
                UPDATE setting SET unit = 'F', minimum = 40, maximum = 261, critical_maximum = 281, delay_seconds = 600,
                    tells_unstable = true, change_per_hour = 12, ahead_minutes = 60, colour = 'teal', position = 5
                WHERE parameter = 0
                """)
            _ = try await scene.invite(1)
            #expect(try await scene.join(1, lee) == .joined)
            let owners = "F|40|261|281|600|t|12|60"
            #expect(try await scene.sql("\(Self.rules) \(lee.rawValue)") == owners)
            #expect(
                try await scene.sql(
                    "SELECT colour = 'teal', position FROM setting WHERE parameter = 0 AND account_id = \(lee.rawValue)"
                )
                    == "f|0", "a matter of taste")
            try await scene.sql(
                "UPDATE setting SET maximum = 270 WHERE parameter = 0 AND account_id = \(scene.kim.rawValue)")
            #expect(try await scene.sql("\(Self.rules) \(lee.rawValue)") == owners, "as they were")
            _ = try await scene.invite(2)
            #expect(try await scene.join(2, ann) == .joined)
            #expect(try await scene.sql("\(Self.rules) \(ann.rawValue)") == "F|40|270|281|600|t|12|60")
        }
    }

    @Test func whoComesBackFindsTheirOwn() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            _ = try await scene.invite(1)
            #expect(try await scene.join(1, lee) == .joined)
            try await scene.sql(
                """
                UPDATE setting SET maximum = 255, delay_seconds = 60, colour = 'teal', position = 7
                WHERE parameter = 0 AND account_id = \(lee.rawValue);
                UPDATE setting SET maximum = 270 WHERE parameter = 0 AND account_id = \(scene.kim.rawValue)
                """)
            for turn in UInt8(2)...3 {
                #expect(
                    try await scene.fixture.owner.execute(EndWatching(device: scene.device, account: lee)) == [true])
                _ = try await scene.invite(turn)
                #expect(try await scene.join(turn, lee) == .joined)
                #expect(
                    try await scene.sql(
                        """
                        SELECT version, maximum, delay_seconds, colour, position FROM setting
                        WHERE parameter = 0 AND valid_until IS NULL AND account_id = \(lee.rawValue)
                        """) == "\(turn)|255|60|teal|7")
            }
        }
    }

    /// Readings measured between two owners belong to nobody; the first owner only set the device up.
    @Test func readingsBetweenTwoOwnersAreNobodys() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            let starts =
                "SELECT readings_from = '-infinity', readings_from = linked_at FROM ownership ORDER BY ownership_id"
            #expect(try await scene.sql(starts) == "t|f")
            #expect(try await scene.unlink(scene.kim))
            try await scene.fixture.link(scene.device, to: lee)
            #expect(try await scene.sql(starts) == "t|f\nf|t")
        }
    }

    /// For each person of the device: an episode, an alert on its way, a delivery and a throttle.
    private static let inWork = """
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            SELECT account_id, account_id, 'webhook', 'https://example.org/' || account_id, '' FROM ownership;
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst)
            SELECT slot, device_id, 1, account_id, account_id, 'range', 'high', now(), now(), 9 FROM ownership;
        INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                event_time, state)
            SELECT slot, device_id, 1, account_id, account_id, account_id, 'range', 'alarm', 'high', now(), now(), 'sending'
            FROM ownership;
        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
            SELECT slot, account_id, account_id, account_id, now() FROM ownership;
        INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
            SELECT slot, device_id, 1, account_id, 'range', now(), account_id FROM ownership;
        SELECT setval('alert_id', 1000); -- beyond those
        """

    /// The rows of the device that each person still has, by account.
    private static let left = """
        SELECT o.account_id, o.unlinked_at IS NULL,
            (SELECT count(*) FROM setting s WHERE s.account_id = o.account_id AND s.valid_until IS NULL),
            (SELECT closed_because FROM episode e WHERE e.account_id = o.account_id),
            (SELECT state FROM alert a WHERE a.account_id = o.account_id AND NOT a.ended),
            (SELECT state FROM delivery d WHERE d.account_id = o.account_id),
            (SELECT count(*) FROM throttle t WHERE t.account_id = o.account_id)
        FROM ownership o ORDER BY o.account_id
        """

    @Test func whoLeavesTakesOnlyTheirOwn() async throws {
        try await SharingScene.with { scene in
            var people = [scene.kim]
            for name in ["lee", "ann"] {
                people.append(try await scene.fixture.addAccount(name))
                let token = UInt8(people.count)
                _ = try await scene.invite(token)
                #expect(try await scene.join(token, people.last!) == .joined)
            }
            let ids = people.map(\.rawValue)
            try await scene.fixture.database.sql(Self.inWork)
            let leaving = EndWatching(device: scene.device, account: people[1])
            #expect(try await scene.fixture.owner.execute(leaving) == [true])
            #expect(try await scene.fixture.owner.execute(leaving) == [false])
            let owner = EndWatching(device: scene.device, account: scene.kim)
            #expect(try await scene.fixture.owner.execute(owner) == [false], "an owner unlinks")
            #expect(try await scene.unlink(people[2]) == false, "a watcher does not")
            #expect(
                try await scene.sql(Self.left) == """
                    \(ids[0])|t|\(SchemaFixture.defaults.count)||sending|pending|1
                    \(ids[1])|f|0|unlinked|cancelled|cancelled|0
                    \(ids[2])|t|\(SchemaFixture.defaults.count)||sending|pending|1
                    """)
            _ = try await scene.invite(9)
            #expect(try await scene.unlink(scene.kim))
            #expect(
                try await scene.sql(Self.left) == """
                    \(ids[0])|f|0|unlinked|cancelled|cancelled|0
                    \(ids[1])|f|0|unlinked|cancelled|cancelled|0
                    \(ids[2])|f|0|unlinked|cancelled|cancelled|0
                    """)
            #expect(try await scene.sql("SELECT count(*) FROM device_invitation") == "0")
            #expect(try await scene.join(9, people[1]) == .unknown)
        }
    }

    private static let ended = """
        SELECT account_id, alert_id > 1000, uid IS NOT NULL, kind, side, state, (SELECT closed_because FROM episode e
            WHERE e.slot = a.slot AND e.episode_id = a.episode_id)
        FROM alert a WHERE ended ORDER BY account_id
        """

    /// Watchers with an open episode are notified that their watching ended, unless they left by themselves.
    @Test(arguments: [true, false]) func watchersAreToldThatTheyHearNoMore(byClosing: Bool) async throws {
        try await SharingScene.with { scene in
            var people: [Account.ID] = []
            for name in ["lee", "ann", "bob", "eve"] {
                people.append(try await scene.fixture.addAccount(name))
                _ = try await scene.invite(UInt8(people.count))
                #expect(try await scene.join(UInt8(people.count), people.last!) == .joined)
            }
            try await scene.sql("SELECT setval('alert_id', 1000)")
            try await scene.sql(Self.inWork)
            // Lee was told of an open episode; Ann's episode is over; Bob was told of nothing; Eve is removed by the
            // owner.
            try await scene.sql(
                """
                UPDATE alert SET state = 'delivered' WHERE account_id = \(people[0].rawValue);
                UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE account_id = \(people[1].rawValue);
                DELETE FROM delivery WHERE account_id = \(people[2].rawValue);
                DELETE FROM throttle WHERE account_id = \(people[2].rawValue);
                DELETE FROM alert WHERE account_id = \(people[2].rawValue)
                """)
            func row(_ person: Int) -> String { "\(people[person].rawValue)|t|t|range|high|decided|unlinked" }
            let removing = EndWatching(device: scene.device, account: people[3])
            let removed = try await scene.fixture.owner.transaction { transaction in
                try transaction.executeScript("SET LOCAL aqua.account = '\(scene.kim.rawValue)'")
                return try transaction.execute(removing)
            }
            #expect(removed == [true])
            #expect(try await scene.sql(Self.ended) == row(3))
            if byClosing {
                let closed = try await scene.fixture.owner.execute(CloseAccount(scene.kim))
                #expect(closed == [true])
            } else {
                #expect(try await scene.unlink(scene.kim))
            }
            #expect(try await scene.sql(Self.ended) == "\(row(0))\n\(row(3))")
        }
    }

    @Test func whoLeavesByThemselvesKnows() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            _ = try await scene.invite(1)
            #expect(try await scene.join(1, lee) == .joined)
            try await scene.sql(Self.inWork)
            let left = try await scene.fixture.owner.transaction { transaction in
                try transaction.executeScript("SET LOCAL aqua.account = '\(lee.rawValue)'")
                return try transaction.execute(EndWatching(device: scene.device, account: lee))
            }
            #expect(left == [true])
            #expect(try await scene.sql(Self.ended) == "")
        }
    }

    /// A person who joins while the owner unlinks either joins first, and is then unlinked, or does not join at all.
    @Test func nobodyJoinsADeviceThatIsBeingUnlinked() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            _ = try await scene.invite(1)
            let unlinker = try await SchemaFixture.connect(scene.fixture.database, .owner)
            try await unlinker.executeScript("BEGIN")
            #expect(try await unlinker.execute(scene.unlinking(scene.kim)) == [true])
            async let outcome = scene.join(1, lee)
            _ = try await awaitFact("the other to wait") {
                try await scene.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await unlinker.executeScript("COMMIT")
            #expect(try await outcome == .unknown)
            #expect(try await scene.sql("SELECT count(*) FROM ownership WHERE unlinked_at IS NULL") == "0")
            await unlinker.close()
        }
    }

    /// Joining and leaving change the device's rules: they raise the version by which engines notice changes.
    @Test func comingAndGoingIsCounted() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            func version() async throws -> Int { Int(try await scene.sql("SELECT rules_version FROM device")) ?? -1 }
            let linked = try await version()
            _ = try await scene.invite(1)
            #expect(try await version() == linked)
            _ = try await scene.join(1, lee)
            let joined = try await version()
            #expect(joined > linked)
            _ = try await scene.fixture.owner.execute(EndWatching(device: scene.device, account: lee))
            #expect(try await version() > joined)
        }
    }

    /// The schema enforces the roles and the number of invitations.
    @Test func theSchemaKeepsTheRoles() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            for (sql, refusal) in [
                ("UPDATE ownership SET role = 'guest'", "ownership_role_check"),
                (
                    "INSERT INTO ownership (slot, device_id, account_id, role, name) SELECT slot, device_id, account_id, 'watcher', 'x' FROM ownership",
                    "ownership_once_each"
                ),
                (
                    "INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, \(lee.rawValue), 'x' FROM ownership",
                    "ownership_one_owner"
                ),
                (
                    "INSERT INTO device_invitation (slot, place, device_id, account_id, token_hash, expires_at) SELECT slot, 21, device_id, account_id, sha256(''), now() + interval '1 s' FROM ownership",
                    "device_invitation_place_check"
                ),
                (
                    "INSERT INTO device_invitation (slot, place, device_id, account_id, token_hash, expires_at, readings) SELECT slot, 1, device_id, account_id, sha256(''), now() + interval '1 s', 'all' FROM ownership",
                    "device_invitation_readings_check"
                ),
            ] {
                let error = await #expect(throws: (any Error).self) {
                    try await scene.fixture.owner.executeScript(sql)
                }
                #expect((error as? PostgresError)?.constraint == refusal)
            }
        }
    }
}

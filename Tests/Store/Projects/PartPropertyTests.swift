import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Whatever happens in whatever order: the parts of a project's members are exactly its members times its devices.
@Suite struct PartPropertyTests {
    /// The parts that are missing, and those that are too many.
    private static func difference(_ project: Int64) -> String {
        """
        WITH wanted AS (
            SELECT m.account_id, o.slot, o.device_id, o.tank_id, o.readings_from, m.role <> 'viewer' AS may_act
            FROM project_member m JOIN ownership o ON o.account_id = m.project_id AND o.unlinked_at IS NULL WHERE m.project_id = \(project)
        ), found AS (
            SELECT account_id, slot, device_id, tank_id, readings_from, may_act FROM ownership
            WHERE project_id = \(project) AND role = 'watcher' AND unlinked_at IS NULL
        )
        SELECT (SELECT count(*) FROM (TABLE wanted EXCEPT TABLE found) AS missing) || ' ' || (SELECT count(*) FROM (TABLE found EXCEPT TABLE wanted) AS more)
            -- each with the settings of all parameters, and no former one that shows anything
            || ' ' || (SELECT count(*) FROM found f WHERE \(SchemaFixture.defaults.count) <> (
                SELECT count(*) FROM setting s WHERE s.slot = f.slot AND s.device_id = f.device_id AND s.account_id = f.account_id AND s.valid_until IS NULL))
            || ' ' || (SELECT count(*) FROM ownership o
                WHERE o.project_id = \(project) AND o.role = 'watcher' AND o.unlinked_at IS NOT NULL AND o.readings_from < o.unlinked_at)
            -- and one at most of each person in each tank
            || ' ' || (SELECT count(*) FROM (
                SELECT FROM ownership o WHERE o.project_id = \(project) AND o.role = 'watcher' AND o.unlinked_at IS NOT NULL
                GROUP BY o.account_id, o.slot, o.tank_id HAVING count(*) > 1) AS doubled)
            -- and nothing is seen twice by a member, who may have been a guest before
            || ' ' || (SELECT count(*) FROM project_member m JOIN ownership a ON a.account_id = m.account_id
                JOIN ownership b ON b.account_id = a.account_id AND b.slot = a.slot AND b.device_id = a.device_id AND b.ownership_id > a.ownership_id
                WHERE m.project_id = \(project) AND a.readings_from < coalesce(a.unlinked_at, 'infinity') AND b.readings_from < coalesce(b.unlinked_at, 'infinity')
                    AND a.readings_from < coalesce(b.unlinked_at, 'infinity') AND b.readings_from < coalesce(a.unlinked_at, 'infinity'))
        """
    }

    @Test(arguments: UInt64(1)...4)
    func partsAreMembersTimesDevices(seed: UInt64) async throws {
        try await ProjectScene.with { scene in
            var random = SeededGenerator(seed: seed)
            var said: [String] = []
            for _ in 0..<45 {
                let person = scene.others.randomElement(using: &random)!
                let device = scene.devices.indices.randomElement(using: &random)!
                let role = ["keeper", "viewer", "administrator"].randomElement(using: &random)!
                let isMember = try await scene.member(person) != ""
                let owner = try await scene.fixture.database.sql(
                    """
                    SELECT account_id FROM ownership
                    WHERE device_id = \(scene.devices[device].device.rawValue) AND role = 'owner' AND unlinked_at IS NULL
                    """)
                let act = Int.random(in: 0..<7, using: &random)
                let outcome: String
                switch act {
                case 0 where !isMember: outcome = try await scene.join(person, as: role)
                case 1 where isMember:
                    outcome = try await scene.remove(person, by: Bool.random(using: &random) ? person : nil)
                case 2 where isMember: outcome = try await scene.change(person, to: role)
                case 3 where owner == "":
                    try await scene.link(device)
                    outcome = "linked"
                case 3 where owner == "\(scene.project)": outcome = try await scene.unlink(device)
                case 4 where owner == "":
                    try await scene.link(device, to: scene.ana)
                    outcome = try await scene.move(device, by: scene.ana)
                case 5 where isMember:
                    outcome = try await scene.sql(
                        """
                        UPDATE project_member SET joined_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'
                        WHERE project_id = \(scene.project) AND account_id = \(person);
                        SELECT end_memberships(10)
                        """)
                    #expect(outcome == "1")
                case 6 where !isMember && owner == "\(scene.project)":
                    let key = scene.devices[device]
                    outcome = try await scene.sql(
                        """
                        INSERT INTO ownership (slot, device_id, account_id, role, name)
                        VALUES (\(key.slot.rawValue), \(key.device.rawValue), \(person), 'watcher', 'Guest');
                        SELECT end_watching(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(person))
                        """,
                        as: person)
                default: continue
                }
                said.append("\(act) \(person) \(device) \(role): \(outcome)")
                let difference = try await scene.fixture.database.sql(Self.difference(scene.project))
                #expect(difference == "0 0 0 0 0 0", "\(said)")
                guard difference == "0 0 0 0 0 0" else { return }
            }
            #expect(said.count >= 15, "\(said)")
        }
    }

    /// Of those who join while a device is linked, and of devices that are linked while somebody joins, none is forgotten.
    @Test func whoJoinsMeanwhileHasWhatIsLinkedMeanwhile() async throws {
        try await ProjectScene.with(others: 6, devices: 6) { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<6 {
                    group.addTask {
                        let outcome = try await scene.join(scene.others[index], as: "keeper")
                        #expect(outcome == "joined")
                    }
                    group.addTask {
                        let connection = try await SchemaFixture.connect(scene.fixture.database, .owner)
                        try await connection.perform(
                            LinkDevice(
                                device: scene.devices[index], account: .init(rawValue: scene.project), name: "Pond",
                                defaults: SchemaFixture.defaults))
                        await connection.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await scene.fixture.database.sql(Self.difference(scene.project)) == "0 0 0 0 0 0")
            let parts = "SELECT count(*) FROM ownership WHERE role = 'watcher' AND unlinked_at IS NULL"
            #expect(try await scene.fixture.database.sql(parts) == "42")
        }
    }
}

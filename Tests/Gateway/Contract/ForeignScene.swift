import HTTPTypes
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// People with one of everything that has an id: Anna, Ben who watches her device, and Eve, a stranger.
struct ForeignScene: Sendable {
    typealias Person = GatewayUnderTest.Person

    /// The ids for one placeholder.
    private struct Example {
        var annas: String
        /// Eve's own id.
        var eves: String
        /// An id that does not exist.
        var absent: String
        /// Whether Ben may know Anna's id.
        var isBens = false

        /// Whether an input of the same name, with this example in the document, is such an id: a time zone is no zone on the map.
        func isOfKind(_ example: String?) -> Bool { absent.utf8.count != 36 || example?.utf8.count == 36 }
    }

    /// A request with somebody else's ids.
    struct Foreign {
        /// The value of each placeholder, by name.
        var places: [String: String]
        /// The same, with nonexistent ids in place of the foreign ones.
        var absent: [String: String]
        /// Whether a foreign id is in the path, not only in the query or the body.
        var isInPath: Bool
    }

    let anna: Person
    let ben: Person
    let eve: Person
    private let examples: [String: Example]
    /// The values of placeholders that are the same for everybody.
    private static let common = [
        "parameter": "temperature", "firmware": "esphome", "source": "photo",
        "link": String(repeating: "A", count: 128),
        // Of nobody: whoever has the secret of a page reads it, signed in or not.
        "page": "aqv_" + String(repeating: "0", count: 49),
    ]

    /// Texts that only Anna may see.
    let secrets = ["pond-1", "Annas", "annas.example"]

    init(_ gateway: GatewayUnderTest) async throws {
        anna = try await gateway.person("anna@example.com")
        ben = try await gateway.person("ben@example.com")
        eve = try await gateway.person("eve@example.com")
        let kim = try await gateway.person("kim@example.com")
        for (device, owner, watcher) in [("pond-1", anna, ben), ("pond-2", eve, kim)] {
            let name = owner.account == anna.account ? "Annas" : "Eves"
            #expect(try await gateway.link(code: gateway.addDevice(device), owner, name: name).status == 201)
            #expect(try await gateway.accept(gateway.invite(to: device, by: owner), watcher).status == 201)
            _ = try await gateway.invite(to: device, by: owner)
        }
        for (number, person) in [anna, eve].enumerated() {
            _ = try await gateway.personalToken(person, scope: "read")
            try await gateway.database.sql(Self.rows(of: person, number: number + 1))
        }
        try await gateway.database.sql(Self.projects(anna.account, "Annas farm", member: kim.account))
        try await gateway.database.sql(Self.projects(eve.account, "Eves farm", member: kim.account))
        try await gateway.database.sql(Self.chains)
        try await gateway.database.sql(Self.enroller)
        try await gateway.database.sql(Self.work)
        try await gateway.link("pond-3", to: kim)
        for person in [anna, eve] { try await gateway.database.sql(Self.left(by: person)) }
        let (annas, eves) = (try await Self.ids(of: anna, gateway), try await Self.ids(of: eve, gateway))
        var examples: [String: Example] = [:]
        for (name, absent) in Self.absent {
            examples[name] = Example(
                annas: try #require(annas[name]), eves: try #require(eves[name]), absent: absent,
                isBens: Self.shared.contains(name))
        }
        self.examples = examples
    }

    private static let absent = [
        "device": "pond-9", "invitation": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "watcher": "999999999",
        "person": "999999999",
        "endpoint": "999999999", "alert": "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e",
        "work": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "reminder": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "act": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "feed": "999999999",
        "session": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "token": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "entry": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "photo": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "livestock": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "equipment": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "identity": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "shift": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "preset": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f",
        "project": "999999999", "member": "999999999", "projectInvitation": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
        "test": "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8f", "calibration": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f",
        "left": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "protocol": "nobodys-pond",
        "sample": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d90", "picture": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d91",
        "sending": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f",
        "plan": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e", "zone": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f",
        "approval": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f", "batch": "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8f",
    ]

    /// What a watcher knows as well.
    private static let shared: Set = ["device", "test", "calibration", "approval", "sample", "picture", "sending"]

    /// Every watcher has a chain that names the owner of the device.
    private static let chains = """
        INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, callee)
        SELECT w.slot, w.device_id, w.account_id, 1, 10, o.account_id
        FROM ownership w JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.role = 'owner' WHERE w.role = 'watcher'
        """

    /// A person's project, with a keeper, an open invitation and a public page.
    private static func projects(_ owner: Int64, _ name: String, member: Int64) -> String {
        """
        WITH project AS (INSERT INTO account (kind, display_name) VALUES ('project', '\(name)') RETURNING account_id),
            members AS (
                INSERT INTO project_member (project_id, account_id, role)
                SELECT p.account_id, m.account_id, m.role FROM project p, (VALUES (\(owner), 'owner'), (\(member), 'keeper')) AS m (account_id, role)),
            shifts AS (
                INSERT INTO shift (project_id, place, name, days, begins_at, ends_at) SELECT account_id, 1, '\(name)', 127, '06:00', '14:00' FROM project
                RETURNING project_id, shift_id),
            standing AS (INSERT INTO shift_member SELECT project_id, shift_id, \(member) FROM shifts),
            page AS (
                INSERT INTO public_page (account_id, token_hash, sealed_token, title, parameters, days, limits)
                SELECT account_id, sha256('page of \(owner)'), 'sealed', 'Farm', 1, 7, false FROM project)
            INSERT INTO project_invitation (project_id, place, token_hash, role, made_by, expires_at)
            SELECT account_id, 1, sha256('project of \(owner)'), 'viewer', \(owner), now() + interval '7 days' FROM project;
        INSERT INTO sample_sending (slot, tank_id, project_id, device_id, account_id)
        SELECT o.slot, o.tank_id, m.project_id, o.device_id, o.account_id
        FROM ownership o JOIN project_member m ON m.account_id = o.account_id AND m.role = 'owner'
        WHERE o.account_id = \(owner) AND o.role = 'owner'
        """
    }

    /// What makes devices, for projects alone; it stays heard for as long as the test takes.
    private static let enroller = """
        INSERT INTO enroller_state (heard_at, allowed, a_day, host, port, tls)
        VALUES (now() + interval '1 hour', 'projects', 1000, 'mqtt.example.org', 8883, true)
        """

    /// Every owner works on the water.
    private static let work = """
        INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, account_id, asked)
        SELECT gen_random_uuid(), slot, tank_id, device_id, 'cleaning', now(), now() + interval '1 hour', account_id, '' FROM ownership
        WHERE role = 'owner'
        """

    /// A photo in a tank that the person watched and watches no more.
    private static func left(by person: Person) -> String {
        """
        INSERT INTO ownership (slot, device_id, account_id, name, role, unlinked_at)
        SELECT slot, device_id, \(person.account), 'Kims', 'watcher', now() FROM device WHERE hardware_id = 'pond-3';
        INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at)
        SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, 'fed', now() FROM ownership
        WHERE account_id = \(person.account) AND unlinked_at IS NOT NULL;
        INSERT INTO journal_photo (slot, tank_id, photo_id, entry_id, account_id, type, width, height, content)
        SELECT slot, tank_id, gen_random_uuid(), entry_id, account_id, 'image/png', 1, 1, '\\x01' FROM journal_entry
        WHERE account_id = \(person.account) AND kind = 'fed'
        """
    }

    /// Adds an endpoint with a secret that can be opened, an alert that was sent there, and a second session.
    private static func rows(of person: Person, number: Int) throws -> String {
        let key = try #require(SecretKey(GatewayUnderTest.secretKey))
        let sealed = try SealedSecret.seal(
            WebhookSecret.generate().bytes, with: key, channel: "webhook", endpoint: Int64(number))
        let secret = sealed.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let host = number == 1 ? "annas.example" : "eves.example"
        return """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (\(number), \(person.account), 'webhook', 'https://\(host)/', '\\x\(secret)');
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, state)
            VALUES (1, \(person.account), \(number), gen_random_uuid(), 'test', 'test', now(), now(), 'delivered');
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, \(number), 'accepted', now(), now() FROM alert
            WHERE account_id = \(person.account);
            INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
            SELECT slot, device_id, tank_id, gen_random_uuid(), account_id, now() FROM ownership
            WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                looked_at, planned_at, account_id)
            SELECT slot, tank_id, device_id, gen_random_uuid(), 'Feed', 'feed', 'day', 1, '08:00', 'UTC', '2026-01-01', now(), now(), now(),
                account_id FROM ownership WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
            SELECT slot, tank_id, reminder_id, gen_random_uuid(), '2026-01-01 08:00', 'done', now(), account_id FROM reminder
            WHERE account_id = \(person.account);
            INSERT INTO calendar_feed (account_id, token_hash, name) VALUES (\(person.account), sha256('feed \(number)'), 'Tanks');
            WITH plan AS (INSERT INTO site_plan (account_id, place, name) VALUES (\(person.account), 1, '\(host)') RETURNING plan_id),
                place AS (
                INSERT INTO plan_place (plan_id, slot, tank_id, x, y)
                SELECT plan_id, slot, tank_id, 1, 1 FROM plan, ownership WHERE account_id = \(person.account) AND role = 'owner')
            INSERT INTO plan_picture (plan_id, type, width, height, content) SELECT plan_id, 'image/png', 1, 1, '\\x01' FROM plan;
            INSERT INTO zone (account_id, place, name, outline)
            VALUES (\(person.account), 1, '\(host)', '{48000000,16000000,48100000,16000000,48000000,16100000}');
            INSERT INTO own_preset (account_id, name, limits)
            VALUES (\(person.account), '\(host)', '{"0": {"unit": "C", "minimum": 120, "maximum": 240}}');
            INSERT INTO session (account_id, client, address) VALUES (\(person.account), 'other', '192.0.2.2/32');
            WITH batch AS (
                INSERT INTO enrolment (account_id, made_by, made_in, kind, links, public_key, auth, done_at)
                VALUES (\(person.account), \(person.account), gen_random_uuid(), 'make', true, decode(repeat('04', 65), 'hex'),
                    decode(repeat('01', 16), 'hex'), now()) RETURNING batch_id)
            INSERT INTO enrolment_device (batch_id, line, hardware_id, name, state, sealed)
            SELECT batch_id, 1, 'new-\(number)', '\(host)', 'made', '\\x01' FROM batch;
            INSERT INTO account_identity (account_id, issuer, subject, name)
            VALUES (\(person.account), 'https://id.example', '\(person.account)', '\(host)');
            INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at, text)
            SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, 'note', now(), host FROM ownership, (SELECT '\(host)' AS host) h
            WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO journal_photo (slot, tank_id, photo_id, entry_id, account_id, type, width, height, content)
            SELECT slot, tank_id, gen_random_uuid(), entry_id, account_id, 'image/png', 1, 1, '\\x01' FROM journal_entry
            WHERE account_id = \(person.account);
            INSERT INTO field_protocol (account_id, protocol_id, version, content)
            VALUES (\(person.account), 'pond-of-\(number)', 1, '{"name": "\(host)", "fields": [{"id": "a", "kind": "flag", "label": "A"}]}');
            INSERT INTO field_sample (slot, tank_id, sample_id, device_id, account_id, changed_by, state, begun_at, content)
            SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, account_id, 'done', now(), '{"protocol": "river-quick", '
                '"protocolVersion": 1, "begunAt": "2026-05-01T10:00:00Z", "comment": "\(host)", "values": []}'
            FROM ownership WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO journal_photo (slot, tank_id, photo_id, sample_id, account_id, type, width, height, content)
            SELECT slot, tank_id, gen_random_uuid(), sample_id, account_id, 'image/png', 1, 1, '\\x01' FROM field_sample
            WHERE account_id = \(person.account);
            INSERT INTO calibration (slot, tank_id, device_id, calibration_id, parameter, account_id, kind, at, unit, standards, befores,
                afters, millivolts)
            SELECT slot, tank_id, device_id, gen_random_uuid(), 0, account_id, 'check', now(), 'C', '{20}', '{20.1}', '{NULL}', '{NULL}'
            FROM ownership WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until)
            SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, '2026-05-01Z', '2026-05-02Z' FROM ownership
            WHERE account_id = \(person.account) AND role = 'owner';
            INSERT INTO inventory_item (slot, tank_id, item_id, account_id, list, name, count, kind)
            SELECT slot, tank_id, gen_random_uuid(), account_id, list, '\(host)', CASE list WHEN 'livestock' THEN 1 END,
                CASE list WHEN 'equipment' THEN 'filter' END
            FROM ownership, unnest(ARRAY['livestock', 'equipment']) AS list WHERE account_id = \(person.account) AND role = 'owner'
            """
    }

    private static func ids(of person: Person, _ gateway: GatewayUnderTest) async throws -> [String: String] {
        let own = "o.account_id = \(person.account) AND o.role = 'owner'"
        let device = "FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id"
        let mine = "WHERE account_id = \(person.account)"
        let former = "entry_id IN (SELECT entry_id FROM journal_entry WHERE kind = 'fed')"
        let project = try await gateway.ask("SELECT project_id FROM project_member \(mine) AND role = 'owner'")
        return [
            "project": project,
            "member": try await gateway.ask(
                "SELECT member_id FROM project_member WHERE project_id = \(project) AND role = 'keeper'"),
            "shift": try await gateway.ask("SELECT shift_id FROM shift WHERE project_id = \(project)"),
            "projectInvitation": try await gateway.ask(
                "SELECT invitation_id FROM project_invitation WHERE project_id = \(project)"),
            "device": try await gateway.ask("SELECT d.hardware_id \(device) WHERE \(own)"),
            "watcher": try await gateway.ask(
                "SELECT w.ownership_id \(device) JOIN ownership w ON w.device_id = d.device_id WHERE \(own) AND w.role = 'watcher'"
            ),
            // The watcher, who asks whether the owner may be called.
            "person": try await gateway.ask(
                "SELECT w.ownership_id \(device) JOIN ownership w ON w.device_id = d.device_id WHERE \(own) AND w.role = 'watcher'"
            ),
            "invitation": try await gateway.ask(
                "SELECT invitation_id FROM device_invitation \(mine) AND used_at IS NULL"),
            "endpoint": try await gateway.ask("SELECT endpoint_id FROM endpoint \(mine)"),
            "alert": try await gateway.ask("SELECT uid FROM alert \(mine)"),
            "work": try await gateway.ask("SELECT work_id FROM water_work \(mine)"),
            "reminder": try await gateway.ask("SELECT reminder_id FROM reminder \(mine)"),
            "act": try await gateway.ask("SELECT act_id FROM reminder_act \(mine)"),
            "feed": try await gateway.ask("SELECT feed_id FROM calendar_feed \(mine)"),
            "preset": try await gateway.ask("SELECT preset_id FROM own_preset \(mine)"),
            "session": try await gateway.ask("SELECT session_id FROM session \(mine) AND client = 'other'"),
            "identity": try await gateway.ask("SELECT identity_id FROM account_identity \(mine)"),
            "test": try await gateway.ask("SELECT test_id FROM hand_test \(mine)"),
            "calibration": try await gateway.ask("SELECT calibration_id FROM calibration \(mine)"),
            "approval": try await gateway.ask("SELECT approval_id FROM approval \(mine)"),
            "batch": try await gateway.ask("SELECT batch_id FROM enrolment \(mine)"),
            "plan": try await gateway.ask("SELECT plan_id FROM site_plan \(mine)"),
            "zone": try await gateway.ask("SELECT zone_id FROM zone \(mine)"),
            "sending": try await gateway.ask("SELECT sending_id FROM sample_sending \(mine)"),
            "token": try await gateway.ask("SELECT token_id FROM personal_token \(mine)"),
            "entry": try await gateway.ask("SELECT entry_id FROM journal_entry \(mine) AND kind = 'note'"),
            "sample": try await gateway.ask("SELECT sample_id FROM field_sample \(mine)"),
            "picture": try await gateway.ask("SELECT photo_id FROM journal_photo \(mine) AND sample_id IS NOT NULL"),
            "protocol": try await gateway.ask("SELECT protocol_id FROM field_protocol \(mine)"),
            "photo": try await gateway.ask("SELECT photo_id FROM journal_photo \(mine) AND NOT (\(former))"),
            "left": try await gateway.ask("SELECT photo_id FROM journal_photo \(mine) AND \(former)"),
            "livestock": try await gateway.ask("SELECT item_id FROM inventory_item \(mine) AND list = 'livestock'"),
            "equipment": try await gateway.ask("SELECT item_id FROM inventory_item \(mine) AND list = 'equipment'"),
        ]
    }

    // MARK: Requests

    /// All requests to a route with an id of Anna's, beside the person's own ids.
    func foreign(of route: Route<Caller>) throws -> [(Person, Foreign)] {
        let path = try names(of: route)
        // Ids in a query or a body are foreign, too.
        let ids = path + others(of: route)
        guard !ids.isEmpty else { return [] }
        var found: [(Person, Foreign)] = []
        // Each set of ids is Anna's in turn, and the rest belongs to the person who asks.
        for chosen in 1..<(1 << ids.count) {
            var places = Self.common.filter { route.path.parameters.contains($0.key) }
            var never = places
            let annas = ids.indices.filter { chosen & (1 << $0) != 0 }.map { ids[$0] }
            for name in ids {
                let example = try #require(examples[name])
                places[name] = annas.contains(name) ? example.annas : example.eves
                never[name] = annas.contains(name) ? example.absent : example.eves
            }
            let foreign = Foreign(places: places, absent: never, isInPath: annas.contains { path.contains($0) })
            found.append((eve, foreign))
            // A watcher has none of what only the owner has.
            if annas == ids, !ids.contains(where: { examples[$0]?.isBens == true }) { found.append((ben, foreign)) }
        }
        return found
    }

    /// Anna's request with her own ids; nil for a route without ids.
    /// - Parameter isPathAlone: Whether a query or a body has the document's examples: what is hers may be nothing that another person can name.
    func owners(of route: Route<Caller>, isPathAlone: Bool = false) throws -> [String: String]? {
        let ids = try names(of: route)
        guard !ids.isEmpty else { return nil }
        var places = Self.common.filter { route.path.parameters.contains($0.key) }
        for name in isPathAlone ? ids : ids + others(of: route) { places[name] = try #require(examples[name]).annas }
        return places
    }

    /// The inputs of a route that are ids in a query or a body.
    private func others(of route: Route<Caller>) -> [String] {
        route.inputs.filter { $0.place != .path && examples[$0.name]?.isOfKind($0.schema.example.string) == true }.map(
            \.name)
    }

    /// The placeholders of a route's path that stand for ids.
    private func names(of route: Route<Caller>) throws -> [String] {
        let names = route.path.parameters.filter { Self.common[$0] == nil }
        for name in names {
            _ = try #require(
                examples[name],
                "\(route.id): give the scene an example of {\(name)}: one of Anna's, one of Eve's, one of nobody")
        }
        return names
    }
}

extension GatewayUnderTest {
    /// A request to a route with these values, and the document's examples for everything else.
    func ask(_ route: Route<Caller>, _ places: [String: String], _ person: Person) async throws -> Reply {
        var path = route.path.description
        for name in route.path.parameters {
            path = path.replacing("{\(name)}", with: try #require(places[name], "\(route.id): \(name)"))
        }
        let queries = route.inputs.filter { $0.place == .query }.compactMap { input in
            (places[input.name] ?? (input.isRequired ? input.schema.example.string : nil)).map { "\(input.name)=\($0)" }
        }
        if !queries.isEmpty { path += "?" + queries.joined(separator: "&") }
        // What stands in place of a link is given, and no link.
        let fields = route.inputs.filter { $0.place == .body && ($0.isRequired || !$0.isSecret) }.map { input in
            JSON.Member(
                input.name,
                places[input.name].map { text in
                    input.schema.example.string == nil ? Int64(text).map(JSON.integer) ?? .string(text) : .string(text)
                } ?? input.schema.example)
        }
        let body: JSON? = fields.isEmpty ? .none : .some(JSON.object(fields))
        var headers: HTTPHeaders = [:]
        if route.inputs.contains(where: { $0.name == HTTPField.Name.ifMatch.rawName }) {
            headers.add(name: "If-Match", value: "*")
        }
        return try await request(
            HTTPMethod(rawValue: route.method.rawValue), GatewayAPI.base + path, person, json: body, headers: headers)
    }
}

extension InputDeclaration {
    fileprivate var isSecret: Bool { schema.json["format"] == "password" }
}

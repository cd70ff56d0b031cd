/// People who share devices in projects as large as a farm: each project has as many members as one may have.
struct Projects: Sendable {
    /// The number of people, each a member of one project.
    let members: Int

    static let devicesEach = 200
    /// The bound of `project_member`.
    static let membersEach = 50

    /// The most event streams of one person (`LiveBoard.mostOfPerson`).
    static let streamsEach = 8
    /// Fewer people would ask for more than the Gateway answers to one.
    static let fewest = 50

    var count: Int { (members + Self.membersEach - 1) / Self.membersEach }
    var devices: Int { count * Self.devicesEach }

    /// The index of a device of a member's project, another for each member.
    func device(ofMember member: Int) -> Int {
        let (project, place) = member.quotientAndRemainder(dividingBy: Self.membersEach)
        return project * Self.devicesEach + place * Self.devicesEach / Self.membersEach
    }

    /// Statements that found the projects, to which the first devices of `bench_person` then belong by turns of 200.
    var founding: String {
        """
        CREATE TABLE bench_project AS
        SELECT number, (SELECT max(number) FROM bench_person) + number AS project FROM generate_series(1, \(count)) AS number;
        INSERT INTO account (account_id, kind, display_name, locale, time_zone) OVERRIDING SYSTEM VALUE
        SELECT project, 'project', 'Farm ' || number, 'en', 'UTC' FROM bench_project;
        SELECT setval(pg_get_serial_sequence('account', 'account_id'), max(project)) FROM bench_project;
        """
    }

    /// Statements that let the first people of `bench_person` in by turns of 50, once the projects have their devices and limits.
    var joining: String {
        """
        INSERT INTO project_member (project_id, account_id, role)
        SELECT b.project, p.number, CASE WHEN p.number % \(Self.membersEach) = 1 THEN 'owner' ELSE 'keeper' END
        FROM bench_person p JOIN bench_project b ON b.number = (p.number - 1) / \(Self.membersEach) + 1
        WHERE p.number <= \(members);
        SELECT add_parts(b.project, m.people, d.slots, d.devices)
        FROM bench_project b
        CROSS JOIN LATERAL (SELECT array_agg(account_id) AS people FROM project_member WHERE project_id = b.project) m
        CROSS JOIN LATERAL (
            SELECT array_agg(slot ORDER BY slot, device_id) AS slots, array_agg(device_id ORDER BY slot, device_id) AS devices
            FROM ownership WHERE account_id = b.project) d;
        """
    }
}

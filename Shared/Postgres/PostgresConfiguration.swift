import CLibpq

/// A notice or warning of the server, such as "relation already exists, skipping".
package struct PostgresNotice: Sendable {
    /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`, whatever the server's language.
    package let severity: String
    package let sqlState: String
    package let message: String
}

/// The database's address and the settings of its connections.
package struct PostgresConfiguration: Sendable {
    package let url: String
    package var applicationName: String
    /// The time for which a busy connection keeps the plans of its statements: in an alert storm tables grow from
    /// nothing within seconds.
    package var planAge = Duration.seconds(1)
    /// The servers that the program has worked on; a server that was left behind is refused. By default the history
    /// lives as long as this value and its copies.
    package var history = ServerHistory()
    /// Receives the server's notices on the connection's thread; by default they are dropped.
    package var onNotice: @Sendable (PostgresNotice) -> Void
    /// Called each second by each connection that waits for the server.
    var onTurn: @Sendable () -> Void = {}
    /// The only host to connect to, just to look: it need not accept writes.
    private(set) var lookedAt: PostgresHost?
    /// The only host to connect to, as to one to work on.
    private(set) var met: PostgresHost?
    /// Called before each connection.
    let readPassword: @Sendable () -> String?

    /// A configuration with a constant password.
    /// - Throws: `configuration` with a sentence about what to change.
    package init(
        url: String, password: String? = nil, applicationName: String,
        onNotice: @escaping @Sendable (PostgresNotice) -> Void = { _ in }
    ) throws(PostgresError) {
        try self.init(url: url, readPassword: { password }, applicationName: applicationName, onNotice: onNotice)
    }

    /// - Parameters:
    ///   - url: A libpq URL (`postgresql://user@host:5432/database?sslmode=verify-full`) or `key=value` string.
    ///     It must not hold a password: URLs end up in logs, arguments and process lists.
    ///   - readPassword: Called before each connection, so that the password can be changed; may block on a file.
    ///   - applicationName: The name in `pg_stat_activity`, and of the connection's thread.
    /// - Throws: `configuration` with a sentence about what to change.
    package init(
        url: String, readPassword: @escaping @Sendable () -> String?, applicationName: String,
        onNotice: @escaping @Sendable (PostgresNotice) -> Void = { _ in }
    ) throws(PostgresError) {
        try Self.check(url)
        self.url = url
        self.readPassword = readPassword
        self.applicationName = applicationName
        self.onNotice = onNotice
    }

    private static func check(_ url: String) throws(PostgresError) {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &complaint) else {
            defer { PQfreemem(complaint) }
            let reason = complaint.map { String(cString: $0) } ?? "out of memory"
            throw PostgresError(.configuration, "the database URL cannot be read: \(reason)")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let isSecret = ["password", "sslpassword"].contains(String(cString: keyword))
            if isSecret, option.pointee.val != nil {
                throw PostgresError(
                    .configuration,
                    "the database URL carries a password; remove it there and give the password in a file")
            }
            option += 1
        }
    }

    /// libpq's keywords in order, where later ones win: our defaults, then the URL, then settings that the URL must not
    /// change.
    ///
    /// A standby that only reads is refused: the server behind one name may change at a takeover. A server that
    /// vanishes is noticed within 6 s: by keep-alives while we wait, by `tcp_user_timeout` while we send. Where there
    /// is another host to try, a dead one costs 2 s, libpq's minimum; a single host gets more time.
    /// - Parameter host: One of `hosts`, to connect to it alone; nil if there is only one.
    func keywords(for host: PostgresHost? = nil) -> [(name: String, value: String)] {
        let host = lookedAt ?? met ?? host
        var keywords = [
            ("application_name", applicationName),
            ("connect_timeout", hosts.count > 1 ? "2" : "5"),
            ("keepalives", "1"),
            ("keepalives_idle", "2"),
            ("keepalives_interval", "2"),
            ("keepalives_count", "2"),
            ("tcp_user_timeout", "6000"),
            ("target_session_attrs", "read-write"),
        ]
        // libpq skips empty values, so an empty one does not override a list in the URL.
        keywords += host.map { PostgresHost.keywords(in: url) + $0.keywords } ?? [("dbname", url)]
        keywords.append(("client_encoding", "UTF8"))
        if lookedAt != nil { keywords.append(("target_session_attrs", "any")) }
        if let password = readPassword() { keywords.append(("password", password)) }
        return keywords.map { (name: $0.0, value: $0.1) }
    }
}

extension PostgresConfiguration {
    /// A copy that connects to one host only, even if it refuses writes or has been left behind.
    package func looking(at host: PostgresHost) -> PostgresConfiguration {
        var configuration = self
        configuration.lookedAt = host
        return configuration
    }

    /// A copy that connects to one host only. The host must accept writes, and a promotion since then is recorded.
    package func meeting(_ host: PostgresHost) -> PostgresConfiguration {
        var configuration = self
        configuration.met = host
        return configuration
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(applicationName) on \(url)" }
    /// Keeps the password out of dumps.
    package var customMirror: Mirror { Mirror(self, children: ["url": url, "applicationName": applicationName]) }
}

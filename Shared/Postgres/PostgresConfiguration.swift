import CLibpq

/// A notice or warning of the server, such as "relation already exists, skipping".
package struct PostgresNotice: Sendable {
    /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`, whatever the server's language.
    package let severity: String
    package let sqlState: String
    package let message: String
}

/// Where the database is and how it is spoken to.
package struct PostgresConfiguration: Sendable {
    package let url: String
    package var applicationName: String
    /// How long a connection at work keeps the plans of its statements. In an alert storm tables grow from nothing within
    /// seconds.
    package var planAge = Duration.seconds(1)
    /// Receives the server's notices on the connection's thread; by default they are dropped.
    package var onNotice: @Sendable (PostgresNotice) -> Void
    /// Asked before each connection.
    let readPassword: @Sendable () -> String?

    /// With a password that stays the same.
    /// - Throws: `configuration` with a sentence about what to change.
    package init(
        url: String, password: String? = nil, applicationName: String,
        onNotice: @escaping @Sendable (PostgresNotice) -> Void = { _ in }
    ) throws(PostgresError) {
        try self.init(url: url, readPassword: { password }, applicationName: applicationName, onNotice: onNotice)
    }

    /// - Parameters:
    ///   - url: A libpq URL (`postgresql://user@host:5432/database?sslmode=verify-full`) or `key=value` string.
    ///     It must not carry a password: URLs end up in logs, arguments and process lists.
    ///   - readPassword: Called before each connection, so that a password can be exchanged; may block on a file.
    ///   - applicationName: What `pg_stat_activity` shows; also names the thread.
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

    /// libpq's keywords in order, where later ones win: our defaults, then the URL, then what is never the URL's.
    ///
    /// A standby that only reads is no connection: what is behind one name may change when a server takes over from another.
    /// The keep-alives notice a vanished server within 5 + 3 * 3 s when we wait, `tcp_user_timeout` within 15 s when we send.
    var keywords: [(name: String, value: String)] {
        var keywords = [
            ("application_name", applicationName),
            ("connect_timeout", "5"),
            ("keepalives", "1"),
            ("keepalives_idle", "5"),
            ("keepalives_interval", "3"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
            ("target_session_attrs", "read-write"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        if let password = readPassword() { keywords.append(("password", password)) }
        return keywords.map { (name: $0.0, value: $0.1) }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(applicationName) on \(url)" }
    /// Keeps the password out of dumps.
    package var customMirror: Mirror { Mirror(self, children: ["url": url, "applicationName": applicationName]) }
}

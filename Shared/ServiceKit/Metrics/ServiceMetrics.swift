/// Metrics of all services, with the same names, so that one rule watches all of them: Prometheus adds the service.
extension MetricsRegistry {
    /// Adds `aqua_build_info`: two versions at once mean an upgrade that is in progress, or was left half-done.
    package func addBuildInfo() {
        gauge("aqua_build_info", "The version of the program; always 1.", by: BuildLabels.self)[BuildLabels()].set(1)
    }

    /// Adds the schema's version.
    /// - Parameter version: The schema that this program was written for.
    package func addSchemaVersion(_ version: Int) {
        gauge("aqua_schema_version", "The version of the database's schema that the program works with.").set(version)
    }

    /// Adds whether the service has a connection to the database.
    package func addDatabaseConnection(_ isConnected: @escaping @Sendable () -> Bool) {
        observed(.gauge, "aqua_database_connected", "1 while the service has a connection to the database.") {
            isConnected() ? 1 : 0
        }
    }

    /// Adds how long the current commit has waited, and whether the last server was refused.
    package func addDatabaseCommits(
        waiting: @escaping @Sendable () -> Duration, isRefused: @escaping @Sendable () -> Bool
    ) {
        observed(
            .gauge, "aqua_database_commit_waiting_seconds", "How long the commit that is being tried has been waiting."
        ) {
            waiting() / .seconds(1)
        }
        observed(
            .gauge, "aqua_database_server_refused",
            "1 while the server that was reached last is refused, as one that was left behind."
        ) {
            isRefused() ? 1 : 0
        }
    }

    /// Adds a pool's connections and waiting callers; a caller that waits for a connection waits for the database.
    package func addDatabasePool(
        limit: Int, open: @escaping @Sendable () -> Int, inUse: @escaping @Sendable () -> Int,
        waiting: @escaping @Sendable () -> Int
    ) {
        let figures: [(name: String, help: String, read: @Sendable () -> Int)] = [
            ("limit", "Connections that the pool keeps open.", { limit }),
            ("open", "Connections that are open.", open),
            ("in_use", "Connections that are lent out.", inUse),
            ("waiting", "Callers that wait for a connection.", waiting),
        ]
        for figure in figures {
            observed(.gauge, "aqua_database_pool_\(figure.name)", figure.help) { Double(figure.read()) }
        }
    }
}

private struct BuildLabels: MetricLabels {
    static var allCases: [BuildLabels] { [BuildLabels()] }
    var labels: [(name: String, value: String)] { [("version", Build.version)] }
}

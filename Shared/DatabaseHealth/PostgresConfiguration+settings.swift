package import Postgres
package import ServiceKit

extension PostgresConfiguration {
    /// A service's configuration. If there is a state directory, the service remembers there which servers it has
    /// worked on.
    /// - Parameters:
    ///   - service: Names the service's file in the state directory.
    ///   - applicationName: The name that PostgreSQL shows; `service` by default.
    /// - Throws: `configuration` if the URL cannot be used.
    package init(
        _ settings: DatabaseSettings, service: String, applicationName: String? = nil
    ) throws(PostgresError) {
        try self.init(
            url: settings.url, readPassword: settings.readPassword, applicationName: applicationName ?? service)
        history = ServerHistory(file: settings.stateDirectory.map { "\($0)/\(service).server" })
    }
}

package import Postgres
package import ServiceKit

extension PostgresConfiguration {
    /// Of a service, which remembers what servers it has worked on in the state directory, if there is one.
    /// - Parameters:
    ///   - service: Names its file there.
    ///   - applicationName: Where it is another than `service`.
    /// - Throws: `configuration` if the URL cannot be used.
    package init(
        _ settings: DatabaseSettings, service: String, applicationName: String? = nil
    ) throws(PostgresError) {
        try self.init(
            url: settings.url, readPassword: settings.readPassword, applicationName: applicationName ?? service)
        history = ServerHistory(file: settings.stateDirectory.map { "\($0)/\(service).server" })
    }
}

/// Tries to connect to one broker after the other.
/// - Parameter configurations: At least one, the preferred one first.
/// - Throws: The error of the only broker; for several, an error that names each broker with its own, retriable if any
///   of them is.
package func firstBroker<Connected>(
    of configurations: [MQTTConfiguration], isolation: isolated (any Actor)? = #isolation,
    _ connect: (MQTTConfiguration) async throws -> Connected
) async throws -> Connected {
    var failures: [(endpoint: MQTTEndpoint, error: MQTTError)] = []
    for configuration in configurations {
        do { return try await connect(configuration) } catch let error as MQTTError {
            failures.append((configuration.endpoint, error))
        }
    }
    throw MQTTError.together(failures)
}

extension MQTTError {
    static func together(_ failures: [(endpoint: MQTTEndpoint, error: MQTTError)]) -> MQTTError {
        guard let leading = failures.first(where: \.error.isRetriable) ?? failures.first else {
            return MQTTError(.invalidConfiguration, "no broker is named")
        }
        guard failures.count > 1 else { return leading.error }
        return MQTTError(
            leading.error.code, failures.map { "\($0.endpoint): \($0.error)" }.joined(separator: "; "),
            detail: failures.map(\.error.detail).joined(separator: "; "))
    }
}

import Glibc

/// The user of the servers: PostgreSQL and PgBouncer refuse to run as root, but tests may run as root. `deploy/servers`
/// runs its own as this user.
enum ServersUser {
    private static let name = "aquamonitor"

    /// The command that runs a program as this user.
    static func command(_ program: String, _ arguments: [String]) -> (program: String, arguments: [String]) {
        guard geteuid() == 0 else { return (program, arguments) }
        return ("/usr/bin/setpriv", ["--reuid=\(name)", "--regid=\(name)", "--init-groups", program] + arguments)
    }

    static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ProcessUnderTest {
        let (program, arguments) = command(program, arguments)
        return try ProcessUnderTest.start(program, arguments, environment: environment)
    }

    static func run(_ program: String, _ arguments: [String], environment: [String: String]) async throws {
        let (program, arguments) = command(program, arguments)
        try await ProcessUnderTest.run(program, arguments, environment: environment)
    }

    /// Makes this user the owner of a file.
    static func own(_ path: String) throws {
        guard geteuid() == 0 else { return }
        guard let user = getpwnam(name)?.pointee, chown(path, user.pw_uid, user.pw_gid) == 0 else {
            throw TestSupportError("\(path) cannot be given to \(name)")
        }
    }
}

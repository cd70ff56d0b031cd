import Foundation
import Postgres
import Synchronization

/// A private PostgreSQL cluster for this test process, on a Unix socket below the temporary directory.
///
/// A shell holds it: when our end of its standard input closes, because we ended in whatever way, it stops the server and
/// removes the directory.
final class TestCluster: Sendable {
    /// Started by the first test that asks.
    static let shared = Result { try TestCluster() }

    let directory: String
    private let holder: Holder
    private let databases = Atomic(0)

    private init() throws {
        holder = try Holder(script: Self.script)
        directory = holder.firstLine
    }

    /// An empty database of its own for one test.
    static func database() async throws -> PostgresConfiguration {
        let cluster = try shared.get()
        let name = "test_\(cluster.databases.add(1, ordering: .relaxed).newValue)"
        let administrator = try await PostgresConnection.connect(cluster.configuration("postgres"))
        try await administrator.executeScript("CREATE DATABASE \(name)")
        await administrator.close()
        return try cluster.configuration(name)
    }

    func configuration(
        _ database: String, host: String? = nil, onNotice: @escaping @Sendable (PostgresNotice) -> Void = { _ in }
    ) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: "postgresql:///\(database)?host=\(host ?? directory)&user=postgres", applicationName: "tests",
            onNotice: onNotice)
    }

    private static let script = """
        set -e
        binaries=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
        directory=$(mktemp -d "${TMPDIR:-/tmp}/aqua-postgres.XXXXXX")
        cd "$directory"
        "$binaries/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >initdb.log 2>&1
        options="-c listen_addresses= -k $directory -c fsync=off -c max_connections=200 -c log_statement=none"
        "$binaries/pg_ctl" -D data -w -l server.log -o "$options" start >pg_ctl.log 2>&1
        echo "$directory"
        read -r _ || true
        "$binaries/pg_ctl" -D data -m immediate stop >pg_ctl.log 2>&1 || true
        cd /
        rm -rf "$directory"
        """
}

/// A shell that lives until our end of its standard input closes. PostgreSQL refuses root, so root becomes `postgres`.
///
/// `@unchecked Sendable`: the process and pipe are set once in init and only kept from deallocation afterwards.
private final class Holder: @unchecked Sendable {
    let firstLine: String
    private let process = Process()
    private let input = Pipe()

    init(script: String) throws {
        let output = Pipe()
        let asPostgres = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let command = (geteuid() == 0 ? asPostgres : []) + ["/bin/sh", "-c", script]
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        firstLine = String(decoding: line, as: UTF8.self)
        guard !firstLine.isEmpty else { throw CocoaError(.executableLoad) }
    }
}

import Foundation
import TestSupport

/// The files that the programs of a cluster's machines read. The cluster's settings are the operators' own, from
/// `deploy/ha/patroni.yml`; paths, names and passwords are the tests', and nothing is encrypted.
struct PatroniFiles {
    private let cluster: TestCluster
    private let addresses: [String]

    init(_ cluster: TestCluster, _ addresses: [String]) {
        self.cluster = cluster
        self.addresses = addresses
    }

    /// - Returns: The directory of each machine.
    func write() async throws -> [String] {
        let password = try cluster.database.maintenance.password(.superuser)
        let operators = try OperatorsFile()
        var directories: [String] = []
        for (index, address) in addresses.enumerated() {
            let machine = "machine\(index + 1)"
            let directory = "\(cluster.directory)/\(machine)"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let files = [
                "etcd.command": etcd(machine, address, directory),
                "patroni.command": [PatroniCluster.patroni, directory],
                "postgres.command": postgres(directory),
                "this-machine.yml": [ownSettings(machine, address, directory, password, operators.protocolOfEtcd)],
                "cluster.yml": operators.shared,
            ]
            for (name, lines) in files {
                try (lines.joined(separator: "\n") + "\n").write(
                    toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
            }
            directories.append(directory)
        }
        // The servers' user owns the secrets.
        try await ProcessUnderTest.run(
            "/bin/chown", ["--recursive", "--reference=\(cluster.database.secrets)"] + directories)
        return directories
    }

    /// The parts of the operators' file that tests use.
    private struct OperatorsFile {
        /// The section that the first machine writes into etcd.
        let shared: [String]
        /// The section that configures Patroni's connection to etcd; its name is the protocol, `etcd` or `etcd3`.
        let protocolOfEtcd: String

        init() throws {
            let file = Paths.repository.appending(path: "deploy/ha/patroni.yml")
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            func isHead(_ line: String) -> Bool { line.first.map { !" #".contains($0) } ?? false }
            guard let start = lines.firstIndex(of: "bootstrap:"),
                let etcd = lines.first(where: { $0 == "etcd:" || $0 == "etcd3:" })
            else { throw TestSupportError("deploy/ha/patroni.yml has no section `bootstrap`, or none on etcd") }
            let rest = lines[(start + 1)...]
            shared = lines[start..<(rest.firstIndex(where: isHead) ?? lines.endIndex)].flatMap { line in
                // The check asks when a commit was.
                line.trimmingCharacters(in: .whitespaces) == "parameters:"
                    ? [line, line.prefix { $0 == " " } + "  track_commit_timestamp: on"] : [line]
            }
            protocolOfEtcd = String(etcd.dropLast())
        }
    }

    private func etcd(_ machine: String, _ address: String, _ directory: String) -> [String] {
        let peers = addresses.enumerated().map { "machine\($0 + 1)=http://\($1):2380" }.joined(separator: ",")
        return [
            PatroniCluster.etcd, "--name=\(machine)", "--data-dir=\(directory)/etcd",
            "--listen-client-urls=http://\(address):2379", "--advertise-client-urls=http://\(address):2379",
            "--listen-peer-urls=http://\(address):2380", "--initial-advertise-peer-urls=http://\(address):2380",
            "--initial-cluster=\(peers)", "--initial-cluster-state=new",
        ]
    }

    /// The server without Patroni, with Patroni's last settings; commits wait for no standby.
    private func postgres(_ directory: String) -> [String] {
        [
            "\(cluster.database.programs)/postgres", "-D", "\(directory)/database", "-c", "synchronous_standby_names=",
            "-c", "log_connections=on",
        ]
    }

    private func ownSettings(
        _ machine: String, _ address: String, _ directory: String, _ password: String, _ etcd: String
    ) -> String {
        """
        scope: aquamonitor
        name: \(machine)
        restapi: {listen: "\(address):8008", connect_address: "\(address):8008"}
        \(etcd): {hosts: [\(addresses.map { "\"\($0):2379\"" }.joined(separator: ", "))]}
        postgresql:
          listen: "\(address):\(PatroniCluster.port)"
          connect_address: "\(address):\(PatroniCluster.port)"
          data_dir: \(directory)/database
          bin_dir: \(cluster.database.programs)
          pgpass: \(directory)/pgpass
          authentication:
            superuser: {username: postgres, password: "\(password)"}
            replication: {username: replicator, password: "\(password)"}
          parameters:
            unix_socket_directories: \(directory)
            password_encryption: scram-sha-256
            timezone: UTC
            log_timezone: UTC
          pg_hba:
            - local all all scram-sha-256
            - host all all all scram-sha-256
            - host replication replicator all scram-sha-256
        """
    }
}

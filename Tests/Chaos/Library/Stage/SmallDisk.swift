import Foundation
import Glibc
import Synchronization
import TestSupport

/// A disk for PostgreSQL that can be filled: a file system in memory, mounted over its data directory. Whoever may not
/// mount goes without.
package struct SmallDisk: Sendable {
    private static let size = 512 << 20
    private let directory: String

    private var ballast: String { "\(directory)/ballast" }

    /// Gives this process a mount namespace of its own, so that what it mounts is gone when it and its children are. To be
    /// called before there is another thread, as threads have the namespace of the thread that made them.
    package static func enterOwnNamespace() {
        // The C library has the call, and hides it from Swift with those that need _GNU_SOURCE.
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return }
        let newMountNamespace: Int32 = 0x0002_0000  // CLONE_NEWNS
        hasNamespace.store(unsafeBitCast(symbol, to: Unshare.self)(newMountNamespace) == 0, ordering: .releasing)
    }

    private static let hasNamespace = Atomic(false)

    /// Why there is none: nil when there is.
    static var obstacle: String? {
        hasNamespace.load(ordering: .acquiring)
            ? nil : "mounting is not permitted here: \(getuid() == 0 ? "the container forbids it" : "it takes root")"
    }

    /// Moves the database there; it is stopped meanwhile.
    static func with<Result>(_ cluster: TestCluster, _ body: (SmallDisk?) async throws -> Result) async throws -> Result
    {
        guard obstacle == nil else { return try await body(nil) }
        let disk = SmallDisk(directory: cluster.databaseDirectory)
        try await disk.stop(cluster)
        try await disk.mount()
        try await cluster.resume(.database)
        do {
            let result = try await body(disk)
            try await disk.unmount(cluster)
            return result
        } catch {
            try? await disk.unmount(cluster)
            throw error
        }
    }

    private func stop(_ cluster: TestCluster) async throws {
        try await cluster.halt(.database)
        // It listens no more before it has written everything.
        try await awaitFact("PostgreSQL's end") { [directory] in
            FileManager.default.fileExists(atPath: "\(directory)/postmaster.pid") ? nil : true
        }
    }

    private func mount() async throws {
        try await Self.shell(
            """
            set -e; mount --make-rprivate /; mv "$1" "$1.before"; mkdir "$1"
            mount -t tmpfs -o size=\(Self.size) tmpfs "$1"; \(Self.copy("$1.before", "$1")); rm -rf "$1.before"
            """, directory)
    }

    /// Moves the database back.
    private func unmount(_ cluster: TestCluster) async throws {
        empty()
        try await stop(cluster)
        try await Self.shell(
            #"set -e; mkdir "$1.after"; \#(Self.copy("$1", "$1.after")); umount "$1"; rmdir "$1"; mv "$1.after" "$1""#,
            directory)
        try await cluster.resume(.database)
    }

    private static func copy(_ from: String, _ to: String) -> String {
        #"cp -a "\#(from)/." "\#(to)"; chmod 0700 "\#(to)"; chown --reference="\#(from)" "\#(to)""#
    }

    /// Leaves no room at all.
    func fill() async throws {
        var left = statvfs()
        for number in 0..<20 {
            guard statvfs(directory, &left) == 0, left.f_bavail > 0 else { return }
            try await Self.shell(
                #"fallocate -l "$2" "$1" 2>/dev/null || head -c "$2" /dev/zero >"$1" || true"#, "\(ballast)\(number)",
                "\(Int(left.f_bavail) * Int(left.f_frsize))")
        }
    }

    func empty() {
        for number in 0..<20 { try? FileManager.default.removeItem(atPath: "\(ballast)\(number)") }
    }

    private static func shell(_ script: String, _ arguments: String...) async throws {
        try await ProcessUnderTest.run("/bin/sh", ["-c", script, "sh"] + arguments)
    }
}

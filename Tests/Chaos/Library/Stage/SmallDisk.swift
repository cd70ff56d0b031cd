import Foundation
import Glibc
import Synchronization
import TestSupport

/// A disk for PostgreSQL that can be filled: a file system in memory. Needs the right to mount.
package struct SmallDisk: Sendable {
    private static let size = 512 << 20
    /// A directory that exists on every system for others to mount over.
    private static let mountPoint = "/mnt"
    private static let ballast = (0..<20).map { "\(mountPoint)/ballast\($0)" }

    /// Gives this process a mount namespace of its own, so that its mounts end with it and its children. Call it before
    /// other threads exist: threads inherit the namespace of the thread that makes them.
    package static func enterOwnNamespace() {
        hasNamespace.store(Namespaces.enter(Namespaces.mounts), ordering: .releasing)
    }

    private static let hasNamespace = Atomic(false)

    /// The reason for the missing disk.
    static let obstacle = "a small disk cannot be mounted here; it takes root"

    /// Moves the database to the disk; the server is stopped meanwhile. The database stays there to the end: the mount
    /// is private to this process.
    /// - Returns: Nil if mounting is not permitted.
    static func holding(_ cluster: TestCluster) async throws -> SmallDisk? {
        guard hasNamespace.load(ordering: .acquiring) else { return nil }
        do {
            try await shell(
                #"mount --make-rprivate / && mount -t tmpfs -o size="$2" tmpfs "$1""#, mountPoint, "\(size)")
        } catch {
            say("No small disk: \(error)")
            return nil
        }
        let directory = cluster.databaseDirectory
        try await cluster.halt(.database)
        // The server stops listening before it has written everything.
        try await awaitFact("PostgreSQL's end") {
            FileManager.default.fileExists(atPath: "\(directory)/postmaster.pid") ? nil : true
        }
        try await shell(
            """
            set -e; cp -a "$1/." "$2"; chmod 0700 "$2"; chown --reference="$1" "$2"; rm -rf "$1"; ln -s "$2" "$1"
            """, directory, mountPoint)
        try await cluster.resume(.database)
        return SmallDisk()
    }

    /// Fills the disk completely.
    func fill() async throws {
        var left = statvfs()
        for file in Self.ballast {
            guard statvfs(Self.mountPoint, &left) == 0, left.f_bavail > 0 else { return }
            // Other processes write at the same time: a block that does not fit is tried again, smaller.
            try await Self.shell(
                #"fallocate -l "$2" "$1" 2>/dev/null || true"#, file, "\(Int(left.f_bavail) * Int(left.f_frsize))")
        }
    }

    func empty() {
        for file in Self.ballast { try? FileManager.default.removeItem(atPath: file) }
    }

    private static func shell(_ script: String, _ arguments: String...) async throws {
        try await ProcessUnderTest.run("/bin/sh", ["-c", script, "sh"] + arguments)
    }
}

import Glibc

/// Kernel namespaces of this process's own. They end with it and its children.
enum Namespaces {
    static let mounts: Int32 = 0x0002_0000  // CLONE_NEWNS
    static let network: Int32 = 0x4000_0000  // CLONE_NEWNET

    /// Moves this process into a new namespace. Call it before other threads exist: threads inherit the namespace of
    /// the thread that makes them.
    /// - Returns: Whether that is permitted here.
    static func enter(_ namespace: Int32) -> Bool {
        // Looks the function up, because the C library hides it from Swift like all that need _GNU_SOURCE.
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: Unshare.self)(namespace) == 0
    }
}

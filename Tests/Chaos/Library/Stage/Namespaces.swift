import Glibc

/// The kernel's namespaces, of which this process may have some of its own. They end with it and its children.
enum Namespaces {
    static let mounts: Int32 = 0x0002_0000  // CLONE_NEWNS
    static let network: Int32 = 0x4000_0000  // CLONE_NEWNET

    /// Takes a namespace of its own. Call it before there is another thread: threads inherit the namespace of the thread
    /// that makes them.
    /// - Returns: Whether that is permitted here.
    static func enter(_ namespace: Int32) -> Bool {
        // The C library has the call, but hides it from Swift like all calls that need _GNU_SOURCE.
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: Unshare.self)(namespace) == 0
    }
}

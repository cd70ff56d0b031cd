import Glibc

/// The limit on this process's open files, and so on its connections.
package enum FileLimit {
    /// Raises the limit as far as the operator permits: many systems start with 1,024, for the sake of old programs.
    package static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}

import Glibc

/// The number of files, and with them connections, that this process may have open.
package enum FileLimit {
    /// Raises it as far as the operator lets it go: many systems begin with 1,024, for the sake of programs of old.
    package static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}

import Glibc

/// Has this process leave nothing of its memory behind when it crashes: keys and passwords are in it.
package func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}

import Glibc

/// The clock that devices, database and receivers share, in microseconds since 1970.
package func wallClock() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}

import CLoad

/// The processor time of the calling thread, which does not depend on the machine's other work.
enum ThreadClock {
    static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    /// The thread's processor time so far.
    static var now: Duration { .nanoseconds(aqua_thread_time()) }
}

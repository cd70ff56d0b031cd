import Glibc
import Synchronization

/// Runs an actor's jobs one after another on one named thread of its own.
///
/// C libraries that block (libpq) or belong to one thread (libmosquitto) are used by an actor with this executor, so
/// that their calls never hold a thread of the cooperative pool. The queue holds no more than the suspended callers of
/// that actor, so only bounded callers bound it.
///
/// Releasing the executor ends the thread after its remaining jobs; the last reference may also be dropped on the
/// thread itself.
package final class ThreadExecutor: SerialExecutor {
    private let queue: JobQueue

    /// Starts the thread.
    /// - Parameter name: Shown by `ps -L` and debuggers; the kernel keeps the first 15 bytes.
    package init(name: String) {
        queue = JobQueue()
        let isStarted = startThread(name: name) { [queue] in queue.run() }
        precondition(isStarted, "the system refuses another thread; raise the limit on processes")
    }

    deinit {
        queue.finish()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), for: asUnownedSerialExecutor())
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

/// The jobs waiting for the thread.
///
/// `@unchecked Sendable`: `entries`, `head` and `finished` are touched only while `mutex` is held; the two POSIX
/// objects are made for use from many threads and live at fixed addresses until deinit.
private final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var entries: [(job: UnownedJob, executor: UnownedSerialExecutor)] = []
    private var finished = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(filled, nil)
    }

    deinit {
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        filled.deallocate()
        mutex.deallocate()
    }

    func append(_ job: UnownedJob, for executor: UnownedSerialExecutor) {
        pthread_mutex_lock(mutex)
        entries.append((job, executor))
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    func finish() {
        pthread_mutex_lock(mutex)
        finished = true
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    /// Runs jobs until `finish()`; jobs queued before it still run.
    func run() {
        while let batch = takeAll() {
            for entry in batch { entry.job.runSynchronously(on: entry.executor) }
        }
    }

    private func takeAll() -> [(job: UnownedJob, executor: UnownedSerialExecutor)]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while entries.isEmpty {
            if finished { return nil }
            pthread_cond_wait(filled, mutex)
        }
        let batch = entries
        entries.removeAll(keepingCapacity: true)
        return batch
    }
}

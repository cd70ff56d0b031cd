import Glibc

/// Runs `body`, which may block, on a new thread that ends with it.
/// - Parameter name: Shown by `ps -L` and debuggers; the kernel keeps the first 15 bytes.
/// - Returns: Whether the system grants another thread.
package func startThread(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    // Ownership of this one reference passes to the thread.
    let context = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    let code = pthread_create(
        &thread, nil,
        { context in
            let start = Unmanaged<ThreadStart>.fromOpaque(context!).takeRetainedValue()
            nameThisThread(start.name)
            start.body()
            return nil
        }, context.toOpaque())
    guard code == 0 else {
        context.release()
        return false
    }
    pthread_detach(thread)
    return true
}

/// The name and the body that a starting thread receives.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// Sets the thread's name by a file, because Glibc's overlay lacks `pthread_setname_np`.
private func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
}

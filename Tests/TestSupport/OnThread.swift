import Foundation

/// Runs a blocking call on a thread of its own.
package func onThread<Result: Sendable>(_ call: @Sendable @escaping () -> Result) -> Task<Result, Never> {
    Task {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: call()) }
        }
    }
}

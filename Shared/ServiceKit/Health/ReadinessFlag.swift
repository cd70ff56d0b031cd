import Synchronization

/// A condition of readiness that its owner switches, such as "connected to the broker"; off at first.
package final class ReadinessFlag: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package var isReady: Bool { state.load(ordering: .acquiring) }

    package func set(_ isReady: Bool) {
        state.store(isReady, ordering: .releasing)
    }
}

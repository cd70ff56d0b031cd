/// Runs the parts of a service, each until it is asked to stop. The first failure ends them all: parts that go on would
/// hide that one is gone.
func whileAllRun(_ start: (inout ThrowingTaskGroup<Void, any Error>) -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        start(&group)
        while try await group.next() != nil {}
    }
}

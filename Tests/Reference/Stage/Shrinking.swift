/// Shortens a course that shows a difference, by halving: parts of ever smaller size are left out, all candidates of a
/// size are played at once, and the shortest one that still differs is used next. Returns the best result at the
/// deadline.
func shrink(
    _ verdict: Verdict, on stage: ReferenceStage, prefix: String, policy: Policy,
    until deadline: ContinuousClock.Instant
) async throws -> Verdict {
    var smallest = verdict
    var parts = 2
    for attempt in 0..<12 {
        let events = smallest.plan.course.events
        guard events.count > 1, .now < deadline else { break }
        parts = min(parts, events.count)
        let candidates = (0..<parts).map { part in
            var course = smallest.plan.course
            course.events = events.indices.filter { $0 * parts / events.count != part }.map { events[$0] }
            return Plan(course, policy)
        }
        let found = try await Run.verdicts(candidates, on: stage, prefix: "\(prefix)-\(attempt)", hasFaults: false)
        let shorter = found.filter { !$0.differences.isEmpty }.min {
            $0.plan.course.events.count < $1.plan.course.events.count
        }
        if let shorter {
            smallest = shorter
        } else if parts >= min(events.count, 16) {
            break
        }
        parts = shorter == nil ? parts * 2 : max(2, parts - 1)
    }
    return smallest
}

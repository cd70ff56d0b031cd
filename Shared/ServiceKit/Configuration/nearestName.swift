/// The candidate with the fewest edits from `name`; nil if that is more than `limit`.
func nearestName(to name: String, among candidates: [String], within limit: Int) -> String? {
    candidates
        // The difference in length is a lower bound of the edits; it is checked first because names of any length come
        // from outside.
        .filter { abs($0.utf8.count - name.utf8.count) <= limit }
        .map { (name: $0, edits: editDistance(Array(name.utf8), Array($0.utf8))) }
        .filter { $0.edits <= limit }
        .min { $0.edits < $1.edits }?
        .name
}

/// The Levenshtein distance: insertions, deletions and replacements, one each.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
        var current = [row + 1]
        current.reserveCapacity(previous.count)
        for (column, other) in right.enumerated() {
            let replaced = previous[column] + (byte == other ? 0 : 1)
            current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[right.count]
}

/// The form of a text, as a regular expression of a restricted kind that a JSON Schema can repeat.
///
/// A pattern is `^`, then single characters, `\` escapes and classes such as `[A-Z0-9_-]` or `[^/]`, each with an
/// optional `?`, `*`, `+`, `{3}` or `{1,8}` behind it, then `$`. There are no groups and no alternatives: matching
/// takes one pass for each step, whatever the text, which general regular expressions do not guarantee.
package struct TextPattern: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String
    private let steps: [Step]

    private struct Step: Hashable {
        var ranges: [ClosedRange<UInt32>]
        var isNegated = false
        var count = 1...1

        func holds(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar.value) } != isNegated
        }
    }

    package init(stringLiteral text: String) {
        self.text = text
        var reader = PatternReader(text)
        steps = reader.steps().map { Step(ranges: $0.ranges, isNegated: $0.isNegated, count: $0.count) }
    }

    /// Whether the whole text matches.
    package func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        // Marks the places, in front of each character and behind the last, where the steps so far can end.
        var isEnd = [true] + Array(repeating: false, count: scalars.count)
        for step in steps { isEnd = Self.ends(of: step, after: isEnd, scalars) }
        return isEnd[scalars.count]
    }

    /// The places where a step can end that begins at one of `starts`.
    private static func ends(of step: Step, after starts: [Bool], _ scalars: [Unicode.Scalar]) -> [Bool] {
        // Counts the starts in front of each place, which shows whether a span contains one.
        var startsBefore = [0]
        for isStart in starts { startsBefore.append(startsBefore[startsBefore.count - 1] + (isStart ? 1 : 0)) }
        // The beginning of the run of matching characters that reaches the present place.
        var runStart = 0
        return starts.indices.map { place in
            if place > 0, !step.holds(scalars[place - 1]) { runStart = place }
            let first = max(runStart, step.count.upperBound > place ? 0 : place - step.count.upperBound)
            let last = place - step.count.lowerBound
            return first <= last && startsBefore[last + 1] > startsBefore[first]
        }
    }
}

/// Reads one of our patterns; a wrong one is a programmer's error.
private struct PatternReader {
    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        precondition(text.hasPrefix("^") && text.hasSuffix("$"), "A pattern is about the whole text: ^...$.")
        self.text = Array(text.unicodeScalars.dropFirst().dropLast())
    }

    typealias Parsed = (ranges: [ClosedRange<UInt32>], isNegated: Bool, count: ClosedRange<Int>)

    mutating func steps() -> [Parsed] {
        var steps: [Parsed] = []
        while position < text.count {
            let isClass = skip("[")
            let isNegated = isClass && skip("^")
            let ranges = isClass ? classRanges() : [range(character(isInClass: false))]
            steps.append((ranges, isNegated, count()))
        }
        return steps
    }

    private mutating func classRanges() -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            let first = character(isInClass: true)
            if position + 1 < text.count, text[position] == "-", text[position + 1] != "]" {
                position += 1
                ranges.append(first.value...character(isInClass: true).value)
            } else {
                ranges.append(range(first))
            }
        }
        return ranges
    }

    private mutating func count() -> ClosedRange<Int> {
        if skip("?") { return 0...1 }
        if skip("*") { return 0...Int.max }
        if skip("+") { return 1...Int.max }
        guard skip("{") else { return 1...1 }
        let least = number()
        let most = skip(",") ? number() : least
        precondition(skip("}"), "A count has braces around it.")
        return least...most
    }

    private mutating func number() -> Int {
        var digits = ""
        while position < text.count, let digit = text[position].properties.numericType.map({ _ in text[position] }) {
            digits.unicodeScalars.append(digit)
            position += 1
        }
        guard let number = Int(digits) else { preconditionFailure("A count is a number.") }
        return number
    }

    private mutating func character(isInClass: Bool) -> Unicode.Scalar {
        precondition(position < text.count, "The pattern ends too early.")
        let character = text[position]
        position += 1
        guard character == "\\" else {
            precondition(isInClass || !"()|.*+?{}".unicodeScalars.contains(character), "No groups in a pattern.")
            return character
        }
        let escaped = text[position]
        position += 1
        guard escaped == "u" else {
            precondition(!escaped.properties.isAlphabetic, "No classes by letter in a pattern.")
            return escaped
        }
        let digits = String(String.UnicodeScalarView(text[position..<position + 4]))
        position += 4
        guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            preconditionFailure("\\u has four hexadecimal digits.")
        }
        return scalar
    }

    private func range(_ scalar: Unicode.Scalar) -> ClosedRange<UInt32> { scalar.value...scalar.value }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == scalar else { return false }
        position += 1
        return true
    }
}

import Instants

extension FilterExpression {
    /// The text that reads back as this filter of a set.
    package func text(in set: EntitySet) -> String { text(set, above: 0) }

    /// - Parameter rank: What binds at least as tightly stands without brackets.
    private func text(_ set: EntitySet, above rank: Int) -> String {
        let (text, own): (String, Int) =
            switch self {
            case .literal(let literal): (literal.text, 9)
            case .field(let field): (set.path(of: field) ?? "?", 9)
            case .call(let function, let arguments):
                (function.rawValue + "(" + arguments.map { $0.text(set, above: 0) }.joined(separator: ",") + ")", 9)
            case .not(let inner):
                ("not " + inner.text(set, above: FilterOperator.rankOfNot), FilterOperator.rankOfNot)
            case .negative(let inner):
                ("-" + inner.text(set, above: FilterOperator.rankOfMinus), FilterOperator.rankOfMinus)
            case .binary(let operation, let left, let right):
                // From left to right; comparisons do not follow each other without brackets.
                (
                    left.text(set, above: operation.compares ? operation.rank + 1 : operation.rank)
                        + " \(operation.rawValue) " + right.text(set, above: operation.rank + 1), operation.rank
                )
            }
        return own < rank ? "(\(text))" : text
    }
}

extension Literal {
    var text: String {
        switch self {
        case .number(let number): number.description
        case .text(let text): quoted(text)
        case .time(let time): time.iso8601
        case .truth(let truth): truth.description
        case .box(let box): "geography" + quoted(box.wellKnownText)
        }
    }
}

extension FieldFault {
    package init(_ input: some InputDeclaration, _ fault: Fault) {
        self.init(input.place, input.name, fault)
    }
}

extension Problem {
    /// A fault of one input that only the handler can find.
    package init(_ input: some InputDeclaration, _ fault: Fault) {
        self.init(.invalidInput, faults: [FieldFault(input, fault)])
    }
}

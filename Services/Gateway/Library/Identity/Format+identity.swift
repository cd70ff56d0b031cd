import FoundationEssentials
import People
import Routes
import Store

extension Format where Value: RowUUID {
    /// The id of a row.
    static var id: Format {
        Format<UUID>.uuid.map { uuid throws(Fault) in Value(rawValue: uuid.number) }
    }
}

extension Output where Value: RowUUID {
    static var id: Output { Output<UUID>.uuid.map { UUID($0.rawValue) } }
}

extension Format where Value == EmailAddress {
    static var emailAddress: Format {
        .reading(
            "e-mail address", example: "ada@example.org", count: 3...EmailAddress.longest,
            pattern: "^[^@\\s]+@[^@\\s]+$"
        ) { text throws(Fault) in
            guard let address = EmailAddress(text) else { throw .notEmailAddress }
            return address
        }
    }
}

extension Format where Value == String {
    /// A password to be checked. Passwords that a former rule allowed must still be accepted.
    static var password: Format { .secret(1...PasswordRule.maximumLength) }
    /// A password to be set.
    static var freshPassword: Format { .secret(PasswordRule.minimumLength...PasswordRule.maximumLength) }
}

extension Format where Value == String {
    /// One line of visible text.
    static func visibleText(_ count: ClosedRange<Int>, example: String) -> Format {
        .reading("text", example: example, count: count) { text throws(Fault) in
            guard VisibleText.isVisible(text), !text.allSatisfy(\.isWhitespace) else { throw .oneLine }
            return text
        }
    }
}

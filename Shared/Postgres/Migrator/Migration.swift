/// One step of the schema. Its number never changes once it was released, nor what it leaves behind.
package struct Migration: Hashable, Sendable {
    package let number: Int32
    package let name: String
    package let sql: String
    /// SHA-256 of earlier texts that left the same schema behind, in hexadecimal digits: for a step that must not be taken any
    /// more the way it once was, such as one that needed more rights. A database that took it then is as good.
    package let formerChecksums: [String]
    /// Of a baseline: how a database that was built before it is taken over.
    package let takeover: Takeover?

    package init(
        number: Int32, name: String, sql: String, formerChecksums: [String] = [], takeover: Takeover? = nil
    ) {
        self.number = number
        self.name = name
        self.sql = sql
        self.formerChecksums = formerChecksums
        self.takeover = takeover
    }

    /// The SQL of a takeover, or of a new database.
    func sql(isTakeover: Bool) -> String { isTakeover ? takeover?.sql ?? sql : sql }
}

/// How a database whose schema was built by many steps is brought to where a baseline begins, which builds it at once.
package struct Takeover: Hashable, Sendable {
    /// SHA-256 of the steps 1, 2, 3, ... in hexadecimal digits: each of one text, or of several that left the same behind.
    package let steps: [[String]]
    /// Runs in place of the baseline.
    package let sql: String

    package init(steps: [[String]], sql: String) {
        self.steps = steps
        self.sql = sql
    }
}

/// A part of the schema that is applied again whenever its text has changed: functions, views, triggers, and what follows from a catalogue.
/// A script can be applied any number of times.
package struct SchemaScript: Hashable, Sendable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}

package import Postgres
package import WaterQuality

/// The form of what an endpoint is sent, as it is stored.
package struct StoredForm: Sendable {
    package var form: Word<Endpoint.Form>
    /// The sealed text of a template.
    package var sealedTemplate: [UInt8]?
    /// The type of what a template makes.
    package var templateType: String?

    package static let standard = StoredForm(form: .known(.standard))

    package init(form: Word<Endpoint.Form>, sealedTemplate: [UInt8]? = nil, templateType: String? = nil) {
        self.form = form
        self.sealedTemplate = sealedTemplate
        self.templateType = templateType
    }

    /// The columns of the endpoint `e`.
    package static let columns = "e.form, e.sealed_template, e.template_type"

    package init(_ row: inout RowReader) throws {
        try self.init(form: row.read(), sealedTemplate: row.read(), templateType: row.read())
    }
}

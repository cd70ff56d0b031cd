/// The id of what somebody asked of the enroller at once.
package struct EnrolmentID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// Renews a session; each is used once and replaced by its successor.
package typealias RefreshToken = OpaqueToken<RefreshTokenKind>

/// Lets a program act for a person, within its scope.
package typealias PersonalToken = OpaqueToken<PersonalTokenKind>

/// Invites somebody to sign up.
package typealias SignUpInvitation = OpaqueToken<SignUpInvitationKind>

/// Sets a forgotten password.
package typealias ResetToken = OpaqueToken<ResetTokenKind>

/// Invites somebody to watch a device.
package typealias WatchInvitation = OpaqueToken<WatchInvitationKind>

/// Invites somebody to take part in a project.
package typealias ProjectInvitationToken = OpaqueToken<ProjectInvitationTokenKind>

/// Reads a person's calendar.
package typealias CalendarToken = OpaqueToken<CalendarTokenKind>

/// Reads a page that its owner shows to everybody.
package typealias PublicPageToken = OpaqueToken<PublicPageTokenKind>

package enum RefreshTokenKind: TokenKind {
    package static let prefix = "aqr_"
}

package enum PersonalTokenKind: TokenKind {
    package static let prefix = "aqp_"
}

package enum SignUpInvitationKind: TokenKind {
    package static let prefix = "aqi_"
}

package enum ResetTokenKind: TokenKind {
    package static let prefix = "aqf_"
}

package enum WatchInvitationKind: TokenKind {
    package static let prefix = "aqw_"
}

package enum ProjectInvitationTokenKind: TokenKind {
    package static let prefix = "aqj_"
}

package enum CalendarTokenKind: TokenKind {
    package static let prefix = "aqc_"
}

package enum PublicPageTokenKind: TokenKind {
    package static let prefix = "aqv_"
}

/// An act that the audit log keeps, named `noun.verb`. The list is closed: the database refuses an entry of any other
/// action, since its script is written from this one.
package enum AuditAction: String, CaseIterable, Sendable {
    case accountOpen = "account.open"
    /// Name, language, time zone, or the interval between alerts.
    case accountChange = "account.change"
    case accountClose = "account.close"
    /// Everything of a person's was taken along.
    case accountExport = "account.export"
    /// An operator's invitation to open an account.
    case accountInvite = "account.invite"
    case accountWithdraw = "account.withdraw"
    case passwordChange = "password.change"
    case sessionOpen = "session.open"
    /// From another session, or by an operator.
    case sessionEnd = "session.end"
    /// A refresh token came back that was used before.
    case sessionReuse = "session.reuse"
    /// Somebody gave a wrong password.
    case sessionRefuse = "session.refuse"
    case tokenMake = "token.make"
    case tokenRevoke = "token.revoke"
    /// The first use of a day that was written; reading alone is none.
    case tokenUse = "token.use"
    /// The person's identity at the house's sign-in provider.
    case identityLink = "identity.link"
    case identityUnlink = "identity.unlink"
    /// The person operates the installation, or no longer.
    case operatorGive = "operator.give"
    case operatorTake = "operator.take"
    case endpointAdd = "endpoint.add"
    case endpointRemove = "endpoint.remove"
    case endpointChangeForm = "endpoint.changeForm"
    case endpointChangeSecret = "endpoint.changeSecret"
    /// Told of all, or of what is critical alone.
    case endpointChangeTelling = "endpoint.changeTelling"
    /// Heeds quiet hours, or does not.
    case endpointChangeHours = "endpoint.changeHours"
    case invitationMake = "invitation.make"
    case invitationWithdraw = "invitation.withdraw"
    case watcherJoin = "watcher.join"
    case watcherLeave = "watcher.leave"
    /// The person takes part in a project, no longer, in another role, or it was dissolved.
    case projectJoin = "project.join"
    case projectLeave = "project.leave"
    case projectChangePart = "project.changePart"
    case projectEnd = "project.end"
    /// Somebody takes part in a project that the person administers, or no longer.
    case memberJoin = "member.join"
    case memberLeave = "member.leave"
    /// The shifts of a project.
    case shiftsChange = "shifts.change"
    /// A member takes another's shift of one day.
    case shiftsCover = "shifts.cover"
    /// The person is told off shift as well, or no longer.
    case shiftsAlways = "shifts.always"
    case deviceAdd = "device.add"
    case deviceLink = "device.link"
    case deviceUnlink = "device.unlink"
    /// Name, place, or whether the device shows its person's values, or moves.
    case deviceChange = "device.change"
    case deviceRotateKey = "device.rotateKey"
    case probeChoose = "probe.choose"
    /// A second device in the same water, with which the device is compared, or no longer.
    case probePair = "probe.pair"
    case probeWithdraw = "probe.withdraw"
    /// A public station of others, whose values a site shows, or no longer.
    case stationSet = "station.set"
    case stationEnd = "station.end"
    case readingsDelete = "readings.delete"
    /// All positions of a device that moves.
    case trackDelete = "track.delete"
    /// Readings of some hours that the owner stands for, or no longer.
    case periodApprove = "period.approve"
    case periodWithdraw = "period.withdraw"
    case limitChange = "limit.change"
    case alarmAnswer = "alarm.answer"
    case alarmSnooze = "alarm.snooze"
    case alarmResume = "alarm.resume"
    case workBegin = "work.begin"
    case workEnd = "work.end"
    case workExtend = "work.extend"
    case workWithdraw = "work.withdraw"
    /// The chain of those who are called when nobody answers.
    case chainChange = "chain.change"
    case quietHoursChange = "quietHours.change"
    case summaryChange = "summary.change"
    case feedAdd = "feed.add"
    case feedRemove = "feed.remove"
    /// What anybody reads of a tank or a project: shown, changed, or no more.
    case pagePublish = "page.publish"
    case pageWithdraw = "page.withdraw"
    /// A picture of a site with tanks on it.
    case planAdd = "plan.add"
    case planChange = "plan.change"
    case planRemove = "plan.remove"
    /// An outline on the map.
    case zoneAdd = "zone.add"
    case zoneChange = "zone.change"
    case zoneRemove = "zone.remove"
    /// Limits under a name, which devices begin with or take over.
    case presetChange = "preset.change"
    case presetRemove = "preset.remove"
    /// A protocol of a person's or a project's own: made, or its next version.
    case protocolChange = "protocol.change"
    /// A sample of the field, and what the owner holds of it.
    case sampleWithdraw = "sample.withdraw"
    case sampleReview = "sample.review"
    /// A project that receives samples of a tank or a site of others, from now on, or no longer.
    case receiverAdd = "receiver.add"
    case receiverRemove = "receiver.remove"
    case retentionChange = "retention.change"
    case boundChange = "bound.change"
    /// A request to change something without the right to.
    case requestRefuse = "request.refuse"
}

package enum PushClientPlaceholder {}

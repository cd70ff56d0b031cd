package enum RoutesPlaceholder {}

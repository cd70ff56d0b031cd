/// What the API answers of the alerts of `EveryAlert`.
let everyAlert = #"""
    """#

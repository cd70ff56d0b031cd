/** Whether the app stands on the Home Screen, which on an iPhone or iPad decides how long it keeps things, and whether alerts come. */

const isApple = () => /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

const isInstalled = () => Reflect.get(navigator, "standalone") === true || matchMedia("(display-mode: standalone)").matches;

/** In a tab of an iPhone or iPad, whose browser forgets what a page keeps after seven days without a visit. */
export const isTabOnApple = () => isApple() && !isInstalled();

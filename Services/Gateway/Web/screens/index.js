/** The screens of the app, a line each; where each of them is, and for whom, is said in its folder. */

export { default as account } from "./account/route.js";
export { default as alert } from "./alert/route.js";
export { default as alerts } from "./alerts/route.js";
export { default as answer } from "./answer/route.js";
export { default as chain } from "./chain/route.js";
export { default as chart } from "./chart/route.js";
export { default as device } from "./device/route.js";
export { default as linkDevice } from "./devices/link/route.js";
export { default as devices } from "./devices/route.js";
export { default as forgotPassword } from "./entrance/forgot-password-route.js";
export { default as introduction } from "./entrance/introduction-route.js";
export { default as resetPassword } from "./entrance/reset-password-route.js";
export { default as signIn } from "./entrance/sign-in-route.js";
export { default as signUp } from "./entrance/sign-up-route.js";
export { default as details } from "./home/details/route.js";
export { default as handTest } from "./hand-test/route.js";
export { default as home } from "./home/route.js";
export { default as join } from "./join/route.js";
export { default as notifications } from "./notifications/route.js";
export { default as testAlert } from "./notifications/test/route.js";
export { default as way } from "./notifications/way/route.js";
export { default as parameter } from "./parameter/route.js";
export { default as quietHours } from "./quiet-hours/route.js";
export { default as settings } from "./settings/route.js";
export { default as summary } from "./summary/route.js";
export { default as unsubscribe } from "./unsubscribe/route.js";

/** The screens of strangers. They travel together, for who is at one of them goes on to another. */

import * as introduction from "./introduction.js";
import * as signIn from "./sign-in.js";
import * as signUp from "./sign-up.js";

export const entrance = { introduction, signIn, signUp };

/**
 * HTML pages for humans under `/identity`. Each page is a function of its data, and works without scripts.
 */
export { confirm, forgot, reset, signUp } from "./account.js";
export { type ConsentView, consentPage } from "./consent.js";
export { deviceSignedIn, userCodeConfirm, userCodeInput } from "./device.js";
export { errorPage, providerError, returnPage } from "./error.js";
export { leave, signInFailed } from "./external.js";
export type { Problem } from "./forms.js";
export { type PageState, type Requester, stateOf } from "./html.js";
export { styleSelfSubmittingForm } from "./self-submitting-form.js";
export { confirmSignIn, signIn } from "./sign-in.js";
export { signedOut, signOut } from "./sign-out.js";
export { contentSecurityPolicy } from "./style.js";

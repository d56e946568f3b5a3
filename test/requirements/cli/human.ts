/** The human's commands: sign-up, sign-in, handles, keys, profiles, and the questions that they ask. */
export const cliHumanRequirements: Readonly<Record<string, string>> = {
  "C-first-use":
    "On an empty machine up, signup, handle create, key issue --save, send and inbox work in turn, each saying the next.",
  "C-provider-published":
    "The daemon publishes which identity provider it trusts, and with which client one signs in there (RFC 9728).",
  "C-signup-terminal":
    "signup asks for e-mail, password (hidden, twice) and code, and ends signed in, saying what comes next.",
  "C-signup-code-log": "Where codes go to the daemon's log, signup says so, and how to read it.",
  "C-signup-wrong-code": "A wrong code is asked for again; the code can be sent again.",
  "C-signup-pipe": "In a pipe sign-up is two commands: one that has a code sent, one that takes the code.",
  "C-login-terminal": "login asks for e-mail and password in the terminal, with the embedded provider.",
  "C-login-wrong-password": "A wrong password is said, and asked for again; in a pipe it ends with 3.",
  "C-login-pipe":
    "In a pipe login takes --email, and the password from --password-stdin or WIREROOM_PASSWORD.",
  "C-login-device": "With an external provider login goes through the device flow.",
  "C-login-browser": "login --browser signs in in a browser, with PKCE on a loopback redirect.",
  "C-login-elsewhere":
    "A password goes to the daemon that one speaks to, never to another origin that it names.",
  "C-logout": "logout revokes the sign-in at the provider where it can, and forgets its tokens.",
  "C-whoami": "whoami says account, handle that acts, daemon and profile; a key alone is enough.",
  "C-whoami-all": "whoami --all lists every profile without asking any daemon.",
  "C-token-refresh": "Tokens are refreshed by themselves before they expire.",
  "C-token-refused": "A token that the daemon refuses is refreshed once, and the call repeated.",
  "C-token-together": "Two processes never use one refresh token.",
  "C-token-kept": "Ctrl-C during a refresh does not lose the new refresh token.",
  "C-token-ended": "A refresh that fails says wireroom login, and ends with 3.",
  "C-profile-file": "Secrets are in a file that only its owner may read, and which is always whole.",
  "C-profile-home": "Saved secrets go to the profile's own daemon alone.",
  "C-profile-lock":
    "One process at a time changes a profile; what a killed one left behind holds up no other.",
  "C-handle-create": "handle create makes a handle with the fields given as flags.",
  "C-handle-list": "handle list and handle show show the human's own handles.",
  "C-handle-use": "handle use sets the handle that acts.",
  "C-key-issue": "key issue shows the plaintext once, with a line to copy.",
  "C-key-save":
    "key issue --save keeps the key in the profile; the plaintext is not printed unless asked for.",
  "C-key-expires": "key issue --expires takes a length of time or a date.",
  "C-key-list": "key list shows every key with its handle and state, and never the key itself.",
  "C-key-revoke": "key revoke asks first, and forgets a saved key.",
  "C-ask-pipe": "In a pipe nothing is ever asked: what is missing ends the command with 10.",
  "C-ask-interrupt": "Ctrl-C in a question ends with 130 and changes nothing.",
  "C-ask-hidden": "What is typed as a password is not shown.",
  "C-ask-edit": "Answers can be pasted and corrected, wide characters too.",
};

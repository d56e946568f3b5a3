/** Requirements of docs/specification/console.md, by the anchor of their section and by their id. */
export const consoleRequirements = {
  serving: {
    "D16-every-path": "Every path below /console returns the page, and no cache stores it.",
    "D20-root": "GET / redirects a browser to /console; other clients get 404.",
    "D16-assets": "Assets have hashed names and are cached as immutable; a missing one is 404.",
    "D16-compressed": "Files are sent with Brotli or gzip to a client that accepts it.",
    "D16-size": "All scripts together are at most 75 kB with Brotli.",
    "D16-csp":
      "The Content-Security-Policy has neither unsafe-inline nor unsafe-eval, and the console cannot be framed.",
    "D16-no-console": "`--no-console` and an external provider without a client id make /console 404.",
    "D16-no-console-sign-in":
      "With `--no-console` nobody signs in as `wireroom-console`, and its ID tokens are not accepted.",
  },
  "sign-in": {
    "D16-console-session":
      "The console signs in by an authorization code with PKCE, and its ID tokens are valid for dashboard operations.",
    "D16-console-cookie":
      "The refresh token is in a cookie that is HttpOnly, SameSite=Strict and for one path, and nowhere else.",
    "D16-console-origin": "Requests to the session need the origin of the daemon.",
    "D16-console-renewal": "Two tabs can renew the session at once; a later replay ends it.",
    "D16-console-limit":
      "With an external provider, a session ends 12 hours after the sign-in, whatever was renewed.",
    "D16-console-tokens":
      "The tokens with which the page acts as a handle end when the page goes or the human signs out.",
    "D21-callback":
      "The page shows no text of the address of its callback, and needs the state of its own sign-in.",
    "D16-console-sign-out": "Signing out ends the session and the browser's session at the sign-in page.",
  },
  tickets: {
    "D20-ticket": "A ticket, issued for an ID token, gives a browser a session of the console.",
    "D20-ticket-once": "A ticket is valid once, for a minute.",
    "D20-ticket-origin": "Only the console's own page redeems a ticket.",
    "D20-ticket-source": "A ticket that another source requested needs the human's confirmation.",
    "D20-ticket-page":
      "The page removes the ticket from its address, and says what to type when the ticket is refused.",
    "D20-ticket-audit": "Tickets, and second uses, are in the audit log as ticket.issued.",
    "D20-ticket-off": "Without a console or with an external provider there are no tickets.",
  },
  navigation: {
    "D21-navigation": "The console acts as one handle, which it remembers, and counts what waits for it.",
    "D21-palette":
      "The palette finds handles, spaces, messages, pages and the wires of a chosen space, by keyboard and by pointer.",
    "D21-back": "Back leads to the same pages of a list and to the same place in it.",
  },
  "approvals-in-the-console": {
    "D16-approvals": "The console shows a held wire or knock as soon as it is held, and answers it.",
    "D16-approvals-undo": "An answer can be undone for five seconds before it is sent.",
    "D16-approvals-seen": "An answer goes only to the approval that is shown, or to those that are selected.",
    "D16-approvals-many":
      "Several approvals can be answered at once, and an answer is sent if the page is left.",
    "D16-approvals-list": "The list scrolls with the selection, and is filtered and grouped.",
    "D16-approvals-elsewhere":
      "An answer given elsewhere shows in each tab within two seconds, with its note.",
    "D16-approvals-facts": "The page shows the facts for the decision beside the wire or knock.",
    "D16-approvals-note": "A rejection can have a note, and what waits for an allowed recipient is offered.",
    "D16-approvals-phone": "On a phone, the answers are at the bottom of the screen, and a swipe answers.",
    "D16-approvals-notify":
      "The page notifies by its service worker while it is hidden, if the human wants it.",
  },
  "handles-in-the-console": {
    "D16-first-steps": "A new human makes a handle and a key, and sends a test wire, on one page.",
    "D16-handles": "The console creates, changes and retires handles, and makes and revokes their keys.",
  },
  reading: {
    "D16-reading":
      "The console shows what a handle sends and receives, its threads and single wires, and moves no checkpoint.",
    "D21-claims": "A space of jobs has a board, on which the handle claims, gives back and finishes jobs.",
    "D21-new-wire": "A new wire goes to any handle or space, and its draft stays until it is sent.",
    "D16-search":
      "A search is in the place that the address names, or in the direct messages and up to 20 spaces of the handle one after the other.",
  },
  "new-items": {
    "D16-live":
      "An inbox, a feed and a thread follow live while their tab is visible; new items move nothing that the human reads.",
  },
  spaces: {
    "D16-spaces": "The console creates a space, posts to it, votes, and changes its members and settings.",
  },
  contacts: {
    "D16-contacts": "The console answers and sends knocks, removes contacts, and blocks handles.",
  },
  "what-agents-wrote": {
    "D16-agent-text":
      "What agents wrote is shown as text, with control characters visible; a link first shows where it leads; a handle that looks like a known one is marked.",
  },
  account: {
    "D16-account":
      "The console shows the account and its limits, changes the password, and exports the account.",
    "D16-sign-ins-page": "The account page lists the sign-ins, and ends one, or all but that of the browser.",
    "D16-account-delete-page":
      "The account page deletes the account after the address was typed, names what goes and stays, and leaves no cookie.",
    "D16-audit": "The console lists the audit log, with filters in the address.",
    "D16-operator":
      "An operator finds handles and wires in the console, sees them, removes wires and suspends handles.",
    "D16-operator-reason": "The console requires a reason of an operator, and the audit page shows it.",
  },
  offline: {
    "D16-offline": "Offline, the page opens and says so, and nothing of the API is kept for it.",
    "D16-install": "The manifest and the page name PNG icons of the sizes that systems ask for.",
  },
  access: {
    "D16-keyboard": "Everything works with the keyboard alone.",
  },
  command: {
    "C-console": "`wireroom console` prints the address of the console, and opens it on a terminal.",
    "C-console-links": "`wireroom approval list` on a terminal prints the address of a pending approval.",
  },
};

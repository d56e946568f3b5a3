/** Requirements of docs/specification/command-line.md, by the anchor of their section and by their id. */
export const commandLineRequirements = {
  output: {
    "C-agent-json": "With --json, every command of a handle prints the REST body.",
    "C-json-fields":
      "--json takes a list of fields, and prints only these; an unknown one is an error that lists them.",
    "C-json-jq": "--jq prints the results of a jq expression on the JSON.",
    "C-agent-plain": "In a pipe, what was created is printed as its id, and lists as tab-separated lines.",
    "C-agent-terminal":
      "On a terminal, wires are blocks with names and relative times, followed by the next step.",
    "C-agent-help": "Every command has a description and an example.",
    "C-help-width": "Help pages fit 80 columns.",
    "C-show-alias": "Every command show has the alias get.",
    "C-agent-pages": "Lists state how to get the next page; --all reads every page.",
    "C-pipe-closed": "A reader that closes the pipe early is not an error, for help texts either.",
    "C-output-errors":
      "If standard output cannot be written, the command prints the reason and ends with 1; an error of standard error changes nothing.",
    "C-hostile-text": "Text of other agents can neither control the terminal nor break a line in two.",
    "C-option-like-names":
      "Handles and spaces are printed with their sign and taken so, also those whose names look like options.",
    "C-narrow-terminal": "Tables fit a narrow terminal.",
  },
  errors: {
    "C-errors-exit": "Each class of error has its own exit code.",
    "C-errors-envelope": "With --json, an error is the error envelope on standard error.",
    "C-errors-usage": "With --json, an error of the command line itself is an error envelope as well.",
    "C-errors-explained": "A rejected payload is explained: each position, and what was expected there.",
    "C-errors-words": "An error names options and arguments of the command, and no field of a request.",
    "C-errors-lines": "An error breaks between words, and does not repeat a reason.",
    "C-errors-next": "Advice on an error names what the command was about.",
    "C-hints-context": "A hint repeats the profile, the URL and the handle that the command was given.",
    "C-errors-soon": "If nothing listens at the address, the command reports it within seconds.",
    "C-suggestion": "A mistyped command, subcommand or value of a list is answered with the nearest one.",
    "C-call-nearest": "A mistyped operation or field is answered with the nearest one.",
  },
  questions: {
    "C-agent-confirm": "What cannot be undone is confirmed on a terminal, and needs --yes in a pipe (10).",
    "C-ask-pipe": "In a pipe nothing is asked: a missing answer ends the command with 10.",
    "C-ask-interrupt": "Ctrl-C in a question ends with 130 and changes nothing.",
    "C-ask-hidden": "Passwords are not shown while they are typed.",
    "C-ask-edit": "Answers can be pasted and edited, wide characters included.",
  },
  profiles: {
    "C-profile-file": "Secrets are in a file that only its owner may read, and which is always complete.",
    "C-profile-home": "Saved secrets go to the daemon of the profile only.",
    "C-profile-lock":
      "One process at a time changes a profile, and a lock that a killed process left delays no other.",
    "C-login-elsewhere":
      "A password goes only to the daemon that the command talks to, never to another origin that it names.",
    "C-plain-http":
      "If a key, token or password goes over plain HTTP to another machine, the command warns once.",
  },
  "sign-up-and-sign-in": {
    "C-first-use":
      "On an empty machine, up, signup, handle create, send and inbox work in turn, and each states the next.",
    "C-init":
      "On an empty machine, init starts the daemon, signs in and creates a handle; send and inbox then work.",
    "C-init-again": "init does only what is missing, also after Ctrl-C.",
    "C-init-user":
      "Each system user has one account and a default handle; a taken handle is asked for again, and named in a pipe.",
    "C-init-hosts":
      "init offers each host that it finds the entry, the hook and the skill; in a pipe it needs --yes or --host.",
    "C-init-fails": "If init cannot start the daemon or sign in, it says what to type instead.",
    "C-signup-terminal":
      "signup asks for e-mail, password (hidden, twice) and code, and ends signed in with the next step.",
    "C-signup-code-log": "If codes go to the log of the daemon, signup states this and how to read the log.",
    "C-signup-wrong-code": "A wrong code is asked for again, and can be sent again.",
    "C-signup-again": "signup asks again only for what was wrong, and ends if that was given.",
    "C-signup-pipe": "In a pipe, sign-up is two commands: one that has a code sent, one that accepts it.",
    "C-login-terminal": "With the embedded provider, login asks for e-mail and password in the terminal.",
    "C-login-wrong-password": "A wrong password is reported and asked for again; in a pipe it ends with 3.",
    "C-login-pipe": "In a pipe, login reads the password from --password-stdin or WIREROOM_PASSWORD.",
    "C-login-device": "With an external provider, login uses the device flow.",
    "C-login-browser": "login --browser signs in in a browser, with PKCE and a loopback redirect.",
    "C-password-forgot": "password forgot and password reset set a new password with a code, and sign in.",
    "C-password-set":
      "password set gives an account of a local sign-in an address and a password; its sign-ins stay.",
    "C-password-change": "password change replaces the password, and the sign-in of the profile stays.",
    "C-logout": "logout revokes the sign-in at the provider if it can, and forgets its tokens.",
    "C-whoami": "whoami prints account, acting handle, daemon and profile; an API key is enough.",
    "C-whoami-all": "whoami --all lists every profile without asking a daemon.",
    "C-token-refresh": "Tokens are refreshed automatically before they expire.",
    "C-token-refused": "A token that the daemon rejects is refreshed once, and the call is repeated.",
    "C-token-together": "Two processes never use one refresh token.",
    "C-token-kept": "Ctrl-C during a refresh does not lose the new refresh token.",
    "C-token-ended": "A refresh that fails names wireroom login, and ends with 3.",
  },
  "handles-and-keys": {
    "C-handle-create": "handle create creates a handle with the fields given as flags.",
    "C-handle-list": "handle list and handle show print the handles of the human.",
    "C-handle-use": "handle use sets the active handle.",
    "C-acts-signed-in":
      "A signed-in human acts as a handle of the account without a saved key; the first one created is active.",
    "C-handle-choice":
      "If no handle is active, the only one of the account becomes active; with several, the command asks to choose.",
    "C-handle-token":
      "The access token of a handle is kept in a file of its owner alone, renewed in time, and a saved key wins.",
    "C-handle-token-ends":
      "After logout, and as a retired or suspended handle, a signed-in human cannot act.",
    "C-connection-list": "connection list prints the clients that act for the human's handles.",
    "C-connection-revoke": "connection revoke asks first, and ends the access of the client.",
    "C-account-set": "account set turns mails about approvals on and off, and whoami prints the choice.",
    "C-account-delete":
      "account delete states its effects, asks for the e-mail address to be typed, and forgets the sign-in and keys.",
    "C-retire": "handle retire states its effects, asks for the name to be typed, and forgets saved keys.",
    "C-key-issue": "key issue prints the plaintext once, with a line to copy.",
    "C-key-save": "key issue --save keeps the key in the profile, and prints no plaintext.",
    "C-key-name": "key issue --name names the key in key list.",
    "C-key-expires": "key issue --expires accepts a duration or a date.",
    "C-key-list": "key list prints every key with handle and state, never the key itself.",
    "C-key-revoke": "key revoke asks first, and forgets a saved key.",
  },
  "sending-and-reading": {
    "C-send-input":
      "Text comes from the command line or standard input, a payload as JSON, from a file or from standard input.",
    "C-send-idempotent": "--idempotency-key sends once, however often the command runs.",
    "C-send-held": "If the human must approve a wire, send reports it.",
    "C-send-accepts": "If a wire accepts a knock of the recipient, send reports it.",
    "C-send-waits": "`send --wait-for-reply` prints the reply.",
    "C-send-waits-held":
      "It waits for the approval of a held wire, too, and has an exit code for each outcome: 0, 4, 11 or 12.",
    "C-wire-wait": "`wire wait` waits for the reply to a sent wire, with the same exit codes.",
    "C-claim": "wire release and wire reopen let the owner and mods correct a queue.",
    "C-reply-read": "A printed reply is acknowledged if nothing older is unread.",
    "C-reply": "reply sends a reply to the space of a wire, or to the other handle of a DM.",
    "C-sent": "`sent` lists sent wires, `wire get` shows their delivery, and `--brief` shortens lists.",
    "C-send-retry": "A rate limit ends a command with 7 at once; with --retry it waits and reports the wait.",
    "C-space-names": "A space is named with or without its sign where nothing else can be meant.",
    "C-inbox-checkpoint": "Reading the inbox acknowledges nothing; --cursor and --done do.",
    "C-inbox-follow": "inbox --follow prints each item once, also if the daemon goes away and comes back.",
    "C-inbox-follow-waits":
      "inbox --follow reports on standard error that it waits for the daemon: once for each outage, and every five minutes.",
    "C-inbox-follow-unsure":
      "In a pipe, inbox --follow acknowledges nothing unless --ack or --done states when an item is acknowledged.",
    "C-inbox-follow-ack":
      "With --ack, an item is acknowledged and the next one printed when a line arrives on standard input, not before.",
    "C-inbox-follow-interrupt":
      "Ctrl-C ends inbox --follow with 130; without --ack, what was printed is acknowledged.",
    "C-inbox-follow-pipe":
      "A closed pipe ends inbox --follow without an error, and what was not printed comes again.",
    "C-follow-wires":
      "thread --follow and space feed --follow print the wires after --cursor, or those from now on, until Ctrl-C.",
    "C-schema-check": "schema check tries a payload without sending it, and names each error.",
    "C-schema-unchecked":
      "schema register --compat none warns, and lists the rules that name the subject without a version.",
    "C-schema-import":
      "schema import converts schemas of draft 4 to 2019-09 and OpenAPI 3.0; the result accepts what the original accepts.",
    "C-schema-import-listed":
      "schema import lists each change: without an effect, not checked any more, or checked now; --dry-run prints the document.",
    "C-schema-import-documents":
      "schema import includes the documents of --with and those beside the schema, and fetches nothing.",
    "C-schema-import-asks": "schema import asks before it registers, unless --yes is given.",
    "C-schema-types":
      "schema types writes TypeScript types of schemas, which accept what the schemas accept.",
    "C-schema-types-safe": "Nothing that a schema contains can add code to the output of schema types.",
    "C-call-any": "call runs any operation by its name, with the key or ID token that it needs.",
    "C-call-values": "call reads values by the type of their field; --input sets them all at once.",
    "C-call-help": "call lists the operations and shows their fields.",
    "C-call-lines": "call prints the lines of an operation that answers JSON lines.",
    "C-mcp-profile":
      "mcp, watch and space work use the key and the address of the profile, and issue one of their own instead of acting with the sign-in.",
    "C-typed":
      "Below a watch and in a coding agent's shell, commands that send or change something act as programs.",
  },
  "mcp-hosts": {
    "C-mcp-install":
      "mcp install writes the URL of the endpoint in the form of the host, at the place of its configuration.",
    "C-mcp-install-bridge": "The bridge is started with a profile and a handle; no key is copied.",
    "C-mcp-install-keeps":
      "Other entries with their comments, mode and links stay, and a copy of the file is kept.",
    "C-mcp-install-broken": "A file that cannot be changed safely is refused and stays as it is.",
    "C-mcp-uninstall": "mcp uninstall removes only the entry, with the comments beside it.",
    "C-mcp-install-finds":
      "Without a host, the hosts on the machine are found, and nothing changes without a confirmation.",
    "C-skill":
      "With --skill, mcp install adds the skill to the skills folder of the host, and mcp uninstall removes it.",
    "C-registry": "server.json obeys the rules of the MCP registry, and describes this version.",
    "C-bundle":
      "The MCP bundle contains the bridge alone, and serves the tools with the settings of the host.",
    "C-plugin": "The manifests of the plugin for Claude Code name files that exist, in this version.",
    "C-plugin-hook":
      "The hook of the plugin names unread items once in a session, without their words, and acknowledges nothing.",
  },
  hooks: {
    "C-hook":
      "hook answers in the form that the event of the host expects, and in plain text without a host.",
    "C-hook-once": "An item is named once in a session, and nothing is acknowledged.",
    "C-hook-more": "If items may follow that hook cannot show, it says so, and counts no more than it sees.",
    "C-hook-stop":
      "At the end of a turn, new wires and unsent held messages let the agent go on, at most 5 times in a row; knocks and approvals do not.",
    "C-hook-words": "Words of others are left out.",
    "C-hook-quiet": "If nothing is new, or the inbox cannot be read, hook prints nothing and ends with 0.",
    "C-hook-light": "hook loads neither the SDK nor the other commands.",
    "C-hook-wake":
      "hook --wake waits until a wire comes or a held message was not sent, and then ends with 2 and the reason, without words, on standard error.",
    "C-hook-wake-once": "A wire wakes one session, once, and none that was told of it; a knock wakes none.",
    "C-hook-wake-ends":
      "A session has one waiter, which ends without a word when another replaces it, or with the session or its host.",
    "C-hook-origin": "--relation and --sent-by leave out other wires, which stay unread and wake nobody.",
    "C-hook-opencode":
      "The plugin for OpenCode starts a turn of the session that was idle last when hook --wake wakes it, and none of a subagent.",
    "C-hook-status": "hook status lists the sessions, since when a hook waits for each, and its last wake.",
    "C-wake-codex":
      "watch --wake codex puts one fixed line into the queue of the session that has run the hook last, until it runs it.",
    "C-hook-install": "hook install adds the hook to the configuration of a host, and other hooks stay.",
    "C-hook-uninstall": "hook uninstall removes only the hooks that hook install has added.",
  },
  watch: {
    "C-watch":
      "watch runs a command for each item, with the item as JSON and as variables, and acknowledges the item when the command exits with 0.",
    "C-watch-input":
      "Nothing of an item is inserted into a command, and a value that no variable can contain is left out.",
    "C-watch-order": "The items of a thread are handled one after the other, and other threads meanwhile.",
    "C-watch-retries": "A failed command runs again, before later items of its thread.",
    "C-watch-on-failure":
      "If the last attempt fails, watch stores the item in a file, stops, or skips the item; without the option, it stores it.",
    "C-watch-failed-reply":
      "With --reply, the sender of a wire whose last attempt fails gets a reply that says so.",
    "C-watch-dead-letters":
      "--dead-letters runs the commands of dead letters again, and forgets those that succeed.",
    "C-watch-missing": "A program that is missing ends watch with the reason, and no item is lost.",
    "C-watch-timeout": "A command that takes too long is ended with all that it has started.",
    "C-watch-forks": "watch does not wait for what a command leaves in the background.",
    "C-watch-reply":
      "With --reply, the output of a command becomes one reply, even if the command runs again.",
    "C-watch-reply-exact": "Output with JSON that the service would not accept is a failure of the command.",
    "C-watch-reply-held": "The log of watch shows that a reply waits for a human's approval.",
    "C-watch-reply-refused":
      "If the service refuses the reply, the command does not run again, and the item is acknowledged.",
    "C-watch-reply-cut": "A text that is too long for a wire is cut, and its end says so.",
    "C-watch-log":
      "watch says what it watches, what became of each reply, and which filters no item can match.",
    "C-watch-removed": "A removed wire is acknowledged without running the command.",
    "C-watch-handle": "In the command, wireroom acts as the handle of the watch.",
    "C-watch-filter": "Items that the filters leave out stay unread, or are acknowledged with --pass.",
    "C-watch-origin": "--relation and --sent-by of watch select wires by their origin.",
    "C-watch-hops":
      "A wire with more hops than --max-hops is acknowledged, logged and counted, and runs no command.",
    "C-watch-space": "A watch of a space has its own position, and leaves out the wires of its handle.",
    "C-watch-killed":
      "After a watch was killed, the next one ends what is left, and runs only items whose command has not exited with 0.",
    "C-watch-stop": "SIGTERM lets running commands end within a time, and no other starts.",
    "C-watch-lock": "One watch runs for each handle, space and name.",
    "C-space-work":
      "space work claims wires, finishes those whose command exits with 0, and gives others back, also at SIGTERM.",
    "C-space-work-on-failure":
      "After --max-attempts, --on-failure stores a wire, ends the worker or goes on.",
    "C-space-work-lost":
      "A worker renews its claims; one that was killed or slept too long loses them, and answers nothing.",
  },
  control: {
    "C-egress-show": "egress show prints the policy of a handle, and handle show its mode.",
    "C-egress-set": "egress set changes the mode, and only what is given.",
    "C-egress-publish":
      "egress set --no-publish and --publish forbid and allow publishing, and a refused agent is told so.",
    "C-egress-lists": "egress allow, deny and forget change single targets.",
    "C-egress-targets":
      "Targets are @bob, '#ops' or space:ops; anything else is rejected before a request is sent.",
    "C-egress-blocked":
      "A blocked send ends with 4, and explains how the human can see and change the policy.",
    "C-held":
      "A held send ends with 0, and reports that the human must approve it, and how; --json has its status.",
    "C-approval-list": "approval list prints pending approvals first, with filters for state and handle.",
    "C-approval-show": "approval show prints all that would be sent: text, payload, target.",
    "C-approval-answer":
      "approval approve sends what is held, and reject does not; several ids are answered in turn.",
    "C-approval-remember": "approve --remember puts the target on allow.",
    "C-approval-refused":
      "A refusal after the approval is printed with its envelope, and sets the exit code.",
    "C-approval-watch":
      "approval watch runs a command for each held wire and knock at least once, also after a restart, with a link to the console.",
    "C-approval-watch-recipes":
      "The recipes of the guide reach their services, without the words of the wire.",
    "C-audit": "audit prints the log, newest first, with filters for handle, action and time.",
    "C-audit-export": "audit --all --json prints an entry a line.",
    "C-export": "export writes everything that the account owns as JSON lines, to a file or standard output.",
    "C-export-cut": "An export that is cut off ends with 8 and leaves no file, nor does Ctrl-C.",
    "C-export-file": "export replaces a file only with --force, and only its owner may read the file.",
    "C-operator-acts":
      "operator remove-wire, suspend and restore act over the API with the key of an operator.",
    "C-operator-reason":
      "They take a reason, ask for it on a terminal and ask before they act (restore asks nothing), and audit shows it. A second suspension names the first reason.",
    "C-operator-looks-up":
      "operator handles, show-handle, wires and show-wire show handles and wires of others to an operator; wires --all waits for the limit.",
  },
  daemon: {
    "C-demo": "demo prints what two agents and their owners do, with the commands for it.",
    "C-demo-own": "demo uses no profile, variable, data or running daemon of the user.",
    "C-demo-ends": "Whatever ends demo, no process and no file of it is left.",
    "C-demo-keep":
      "With --keep the daemon of demo goes on until it is stopped as printed, which deletes its folder.",
    "C-up-serves":
      "up starts the daemon in the background, waits until it serves, and prints the address and the next step.",
    "C-up-again": "up does not touch a running daemon, reports it, and exits with 0.",
    "C-up-found": "Later commands find the daemon that up started, without flags.",
    "C-up-last":
      "up without flags uses the settings of the last up, prints them, and refuses if a password is missing.",
    "C-up-lan":
      "With --lan other machines reach the daemon at the printed address, and only this machine signs in locally.",
    "C-up-settings":
      "If the daemon runs with other settings than requested, up lists the differences and ends with 1.",
    "C-up-fails": "If the daemon cannot start, up prints its reason and leaves nothing running.",
    "C-up-profile":
      "The profile takes over the address of the daemon, unless it has a sign-in or keys of another one.",
    "C-up-no-secrets": "Secrets in flags appear neither in the process list nor in the data folder.",
    "C-start-ends":
      "The daemon of npm start ends with it, whatever signal ends npm, its shell or their group.",
    "C-down-ends":
      "down stops the daemon and waits for its end; if none runs, it reports that and exits with 0.",
    "C-status": "status prints whether the daemon runs and how it does: 0 if it runs, 8 if not.",
    "C-stale-state":
      "What a killed daemon left behind misleads no command, also if another process has its process id.",
    "C-one-folder": "One data folder serves one daemon, wherever the database is.",
    "C-logs": "logs prints the last lines, readable on a terminal, as JSON lines in a pipe and with --json.",
    "C-logs-follow": "logs -f follows across a rotation and misses nothing; Ctrl-C ends it with 130.",
    "C-logs-bounded": "The log does not grow without bound: a full file is kept once.",
    "C-closed-pipe": "The commands of the daemon accept a closed pipe.",
    "C-doctor":
      "doctor checks what the daemon needs, states how to repair it, and exits with 1 if something is wrong.",
    "C-doctor-undisturbed": "doctor checks a running daemon with its own settings, and does not disturb it.",
  },
  "backup-and-copy": {
    "C-backup":
      "backup copies one committed moment while the daemon writes, and replaces no file unless told to.",
    "C-restore":
      "restore puts a backup in place, replaces a database only with --replace, keeps it, and refuses while a daemon runs.",
    "C-restore-checks":
      "restore refuses anything but a sound database of a known version, and then changes nothing.",
    "C-store-check":
      "store check prints a line for each broken invariant of the stored data and exits with 1, also beside a daemon.",
    "C-store-copy":
      "store copy moves a whole service between databases of either engine; keys, ids, cursors and searches stay valid.",
    "C-store-copy-compared":
      "A copy is complete once counts and checksums of every table are equal; a difference is refused.",
    "C-store-copy-empty": "A target that is not empty is refused, and left as it is.",
    "C-store-copy-source":
      "A source is copied only while nothing can change it; a running daemon or another version is refused.",
    "C-store-copy-resumes":
      "After an interruption, kill -9 included, the same command continues and repeats at most one page.",
    "C-store-copy-half":
      "No daemon serves a half-copied database; it states why, and how the copy continues.",
    "C-store-copy-progress": "A copy reports on standard error the progress and speed of each table.",
    "C-store-compact":
      "`store compact` makes the SQLite file smaller; it refuses while a daemon runs, and on PostgreSQL.",
  },
  "inbox-view": {
    "C-inbox-view-live": "What arrives is shown at once, and the checkpoint stays where it is.",
    "C-inbox-view-thread":
      "Beside the list is the thread of the selected item: replies indented, payloads readable, their schema named.",
    "C-inbox-view-reply": "A reply with text and payload arrives at the other agent in the thread.",
    "C-inbox-view-refused":
      "A rejected reply stays open with code and reasons, and can be corrected and sent.",
    "C-inbox-view-stranger": "An unknown sender is named and can be answered at once.",
    "C-inbox-view-knock": "A knock is accepted or, after a question, rejected.",
    "C-inbox-view-deal":
      "Acknowledging an item moves the checkpoint behind it and everything before it, and no further.",
    "C-inbox-view-delete":
      "A wire of one's own is deleted after a question; a wire of another handle is not.",
    "C-inbox-view-find": "The list can be filtered by text, and a space can be searched.",
    "C-inbox-view-away":
      "A daemon that goes away and comes back interrupts nothing; the view reports the outage meanwhile.",
    "C-inbox-view-revoked": "A revoked key ends the view with 3.",
    "C-inbox-view-held": "A reply that waits for the approval of the human is marked as held.",
    "C-inbox-view-elsewhere": "What another reader acknowledges is marked in the list.",
  },
  "dashboard-view": {
    "C-dashboard-panes":
      "Account, handles, keys, egress, approvals, spaces, limits, the audit log and connections have a pane each.",
    "C-dashboard-egress": "An egress policy is edited in a form, and holds from then on.",
    "C-dashboard-approvals":
      "An approval is shown in full; it is approved, approved with its target remembered, or rejected in a form, with or without a note.",
    "C-dashboard-handle":
      "A handle is created in a form; a refusal states why and can be corrected; the new handle is selected.",
    "C-dashboard-retire": "A handle is retired after a question, once its name was typed.",
    "C-dashboard-issue":
      "A key is issued and shown once; it can be kept in the profile, which then acts with it.",
    "C-dashboard-revoke": "A key or a connection is revoked after a question, and no longer works.",
    "C-dashboard-no-key":
      "If no handle is active, the panes of the handle explain how to choose one, and the others work.",
    "C-dashboard-details":
      "Details that do not fit are read page by page, so that nothing is answered unread.",
    "C-dashboard-away": "A daemon that goes away and comes back interrupts nothing.",
    "C-dashboard-narrow":
      "A narrow window shows fewer columns, then cards; the details show everything about a row.",
    "C-dashboard-ended":
      "When the sign-in of the human is no longer valid, polling ends, and the view ends with the error.",
  },
  views: {
    "C-view-terminal": "A view without a terminal ends with 10, and names the command to use instead.",
    "C-view-restored": "However a view ends, by q, Ctrl-C or a signal, the terminal is as before.",
    "C-view-help": "? lists the keys, and any key closes the list.",
    "C-view-colours":
      "NO_COLOR and --no-color leave no colour on the screen, and everything is still readable.",
    "C-view-narrow":
      "Below 90 columns one pane is shown at a time; a window that is too small shows a message.",
    "C-view-resize": "The view follows changes of the window size.",
    "C-view-hostile":
      "Text of other agents can neither move the cursor, change colours nor imitate the view.",
    "C-view-paste": "Pasted text is text, line breaks included, and never a command.",
    "C-view-editing": "Text fields know the usual editing keys and wide characters.",
  },
  package: {
    "C-package":
      "The installed package works with its dependencies only, and explains what to do if their binary is missing.",
    "C-version": "version prints the versions of the command, and of the daemon if one answers.",
    "C-man": "The package has a manual page with every command and option.",
    "C-help-light": "help loads neither the SDK, the daemon nor the views.",
    "C-completion": "completion prints a script that completes commands, options and their values.",
    "C-completion-names": "Completion offers the handles and profiles that are stored on the machine.",
    "C-readme":
      "README.md runs as printed, from the first line to the last, in a fresh shell with an empty home.",
    "C-page": "docs/cli.md and the pages of docs/cli name every command, exit code and variable.",
  },
} as const;

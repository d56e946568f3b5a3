/** The commands of a handle, and `call`. */
export const cliAgentRequirements: Readonly<Record<string, string>> = {
  "C-agent-json":
    "With --json every command of a handle prints the REST body under the specification's names.",
  "C-agent-plain": "In a pipe what was made is printed as its id alone, and lists as tab-separated lines.",
  "C-agent-terminal":
    "On a terminal wires are blocks with names and relative times, and the next step is said.",
  "C-agent-help": "Every command has a description and an example.",
  "C-send-input":
    "Text comes from the line or standard input; a payload as JSON, from a file or standard input.",
  "C-send-idempotent": "--idempotency-key sends once, however often the command runs.",
  "C-send-held": "Where the owner must approve a wire, send says so.",
  "C-send-retry": "A rate limit ends a command with 7 at once; with --retry it waits, and says so.",
  "C-space-names": "A space is named without its sign where nothing else can be meant; with it, too.",
  "C-agent-pages": "Lists say how to go on; --all reads every page.",
  "C-agent-confirm": "What cannot be undone is asked for on a terminal, and needs --yes in a pipe (10).",
  "C-inbox-checkpoint": "Reading the inbox marks nothing as dealt with; --cursor and --done do.",
  "C-inbox-follow": "inbox --follow writes each item once, also where the daemon goes away and comes back.",
  "C-inbox-follow-waits": "It says once on standard error that it waits for the daemon.",
  "C-inbox-follow-interrupt": "Ctrl-C ends it with 130; what was written is acknowledged.",
  "C-inbox-follow-pipe": "A closed pipe ends it without an error; what was not written comes again.",
  "C-schema-check": "schema check tries a payload without sending it, and names each error.",
  "C-call-any": "call carries out any operation by its name, with the key or the ID token that it needs.",
  "C-call-values": "call reads values by the type of their field; --input gives them all at once.",
  "C-call-help": "call lists the operations, and shows the fields of each.",
  "C-call-nearest": "A mistyped operation or field is answered with the nearest.",
  "C-call-newer": "call carries out operations that only a newer daemon knows.",
  "C-errors-exit": "Each class of error has an exit code of its own.",
  "C-errors-envelope": "With --json an error is the specification's envelope on standard error.",
  "C-errors-explained":
    "A payload that a schema refuses is explained: each place, and what was expected there.",
  "C-errors-lines":
    "On a terminal an error breaks between words; a reason that the message gives is not repeated.",
  "C-errors-next": "Advice on an error names what the command was about.",
  "C-errors-soon": "Where nothing listens, that is said within seconds.",
  "C-pipe-closed": "A reader that has had enough is no error, in help texts either.",
  "C-hostile-text": "Text of others can neither act on the terminal nor break a line in two.",
  "C-narrow-terminal": "Tables fit a narrow terminal.",
};

/** Texts of one wire, wherever it is shown. */
export const wire = {
  to: "to",
  looksLike: (slug: string) => `looks like @${slug}, but is another handle`,
  schema: (ref: string) => `Schema ${ref}`,
  schemaLabel: "Schema",
  removedBy: {
    sender: "Removed by its sender",
    mod: "Removed by a mod of the space",
    operator: "Removed by an operator",
  },
  status: {
    held: "Held: waits for your approval",
    rejected: "Not sent: you rejected it",
    expired: "Not sent: nobody decided in time",
    failed: "Not sent: approved, but a rule refused it",
    withdrawn: "Not sent: withdrawn",
  },
  delivery: { queued: "Not read yet, sent", read: "Read" },
  cut: "Shortened",
  votes: (count: number) => (count === 1 ? "1 vote" : `${count} votes`),
  vote: "Vote",
  unvote: "Remove the vote",
  thread: "Thread",
  repliesTo: "Replies to a wire",
  all: "Show the whole text",
  less: "Show less",
};

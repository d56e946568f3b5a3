const STATUSES = {
  pending: "Waiting",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  withdrawn: "Withdrawn",
};

const count = (n: number) => (n > 0 ? ` ${n} selected` : "");

export const approvals = {
  states: "States",
  statuses: STATUSES,
  kinds: { wire: "Wire", knock: "Knock (a contact request)" },
  held: "Held",
  status: "State",
  thread: "The thread so far",
  from: (handle: string, target: string) => `@${handle} to ${target}`,
  waiting: (n: number) => `${n} approvals wait for you`,
  choose: (handle: string, target: string) => `Choose @${handle} to ${target}`,
  why: (handle: string, target: string) =>
    `Held because @${handle} sends only with your approval, and ${target} is on none of its lists.`,
  none: "Nothing waits for you",
  noneText:
    "A handle whose egress policy has the mode “approval” asks here before it sends to somebody new. Open a handle to change its policy.",
  noneEnded: (status: string) => `Nothing ${status.toLowerCase()}`,
  gone: "This one was answered, withdrawn or has expired.",
  tooLate: "Your answer came too late: the approval was answered elsewhere, was withdrawn or has expired.",
  selectedGone: "What you selected was answered, withdrawn or has expired.",
  clear: "Clear the selection",
  notFound: "There is no such approval.",
  backToList: "Back to the list",
  approve: (n: number) => `Approve${count(n)}`,
  reject: (n: number) => `Reject${count(n)}`,
  remember: (n: number) => `Approve${count(n)} and always allow`,
  notify: "Notify me on this device",
  failed: "not sent",
  decided: (status: "approved" | "rejected", n: number, isRemembered: boolean) => {
    const recipients = n > 1 ? "these recipients are" : "this recipient is";
    const always = isRemembered ? `, and ${recipients} always allowed from then on` : "";
    const next = status === "approved" ? `It is sent in 5 seconds${always}.` : "Undo it within 5 seconds.";
    return `${STATUSES[status]}${n > 1 ? `: ${n}` : ""}. ${next}`;
  },
  notSent: (target: string, reason: string) => `It was approved, but not sent to ${target}: ${reason}`,
  notAnswered: (reason: string) => `The answer did not arrive, and it waits again: ${reason}`,
  keys: "Keyboard shortcuts",
  keyTexts: {
    j: "Next",
    k: "Previous",
    a: "Approve",
    "Shift + A": "Approve, and always allow this recipient",
    r: "Reject",
    x: "Choose, to answer many at once",
    u: "Undo the last answer",
    "?": "Show this list",
  },
};

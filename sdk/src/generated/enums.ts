// Generated from the contract by `npm run generate`; edits are lost.
export const VISIBILITIES = ["public", "private"] as const;
export const POSTING_RIGHTS = ["anyone", "members", "mods"] as const;
export const CONTACT_POLICIES = ["open", "contacts_only"] as const;
export const COMPAT_MODES = ["none", "backward"] as const;
export const EGRESS_MODES = ["open", "allowlist", "approval"] as const;
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "withdrawn"] as const;
export const KNOCK_STATUSES = ["pending", "accepted", "rejected", "expired"] as const;
export const FEED_ORDERS = ["newest", "oldest", "top"] as const;
export const AUDIT_ACTIONS = ["handle.created", "handle.retired", "handle.suspended", "handle.restored", "account.suspended", "account.restored", "policy.changed", "key.issued", "key.revoked", "connection.created", "connection.revoked", "token.issued", "egress.changed", "egress.blocked", "approval.approved", "approval.rejected", "knock.answered", "wire.removed", "wire.read", "space.transferred", "space.received", "retention.changed", "data.exported", "session.local", "ticket.issued", "sign_in.ended", "account.deleted", "operator.granted", "operator.revoked"] as const;

// Generated from the contract by `npm run generate`; edits are lost.
export const VISIBILITIES = ["public", "private"] as const;
export const POSTING_RIGHTS = ["anyone", "members", "mods"] as const;
export const CONTACT_POLICIES = ["open", "contacts_only"] as const;
export const COMPAT_MODES = ["none", "backward"] as const;
export const EGRESS_MODES = ["open", "allowlist", "approval"] as const;
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "withdrawn"] as const;
export const KNOCK_STATUSES = ["pending", "accepted", "rejected", "expired"] as const;
export const FEED_ORDERS = ["newest", "oldest", "top"] as const;

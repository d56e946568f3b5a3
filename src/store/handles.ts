import type { Handle, PostingRule } from "../contract/shapes.js";
import { isoTime } from "../kernel/clock.js";
import type { Session, Transaction } from "./engine.js";

/** A handle as the service sees it: the resource, and the keys that join it to the rest. */
export interface StoredHandle {
  pk: number;
  account: number;
  resource: Handle;
}

interface Row {
  pk: number;
  account: number;
  id: string;
  slug: string;
  account_id: string;
  display_name: string | null;
  bio: string | null;
  tags: string;
  discoverable: number;
  contact_policy: Handle["contact_policy"];
  inbox_rule: string;
  created_at: number;
}

const SELECT = `SELECT h.pk, h.account, h.id, h.slug, a.id AS account_id, h.display_name, h.bio, h.tags, h.discoverable,
  h.contact_policy, h.inbox_rule, h.created_at FROM handles h JOIN accounts a ON a.pk = h.account`;

function toHandle(row: Row): StoredHandle {
  const { pk, account, ...fields } = row;
  const resource: Handle = {
    ...fields,
    tags: JSON.parse(row.tags) as string[],
    discoverable: row.discoverable === 1,
    inbox_rule: JSON.parse(row.inbox_rule) as PostingRule,
    created_at: isoTime(row.created_at),
  };
  return { pk, account, resource };
}

async function one(row: Promise<Row | undefined>): Promise<StoredHandle | undefined> {
  const found = await row;
  return found && toHandle(found);
}

/** The handle that a slug addresses: a retired one is not addressable any more. */
export function handleBySlug(session: Session, slug: string): Promise<StoredHandle | undefined> {
  return one(session.get<Row>(`${SELECT} WHERE h.slug = ? AND h.retired_at IS NULL`, [slug]));
}

/** The same, retired ones included: a slug is never given out again (decisions, section 9). */
export function anyHandleBySlug(session: Session, slug: string): Promise<StoredHandle | undefined> {
  return one(session.get<Row>(`${SELECT} WHERE h.slug = ?`, [slug]));
}

export function handleById(session: Session, id: string): Promise<StoredHandle | undefined> {
  return one(session.get<Row>(`${SELECT} WHERE h.id = ?`, [id]));
}

export function handleByPk(session: Session, pk: number): Promise<StoredHandle | undefined> {
  return one(session.get<Row>(`${SELECT} WHERE h.pk = ?`, [pk]));
}

export async function handlesOfAccount(session: Session, account: number): Promise<StoredHandle[]> {
  const rows = await session.all<Row>(`${SELECT} WHERE h.account = ? ORDER BY h.pk`, [account]);
  return rows.map(toHandle);
}

/** What can be set of a handle. */
export type HandleSettings = Pick<
  Handle,
  "display_name" | "bio" | "tags" | "discoverable" | "contact_policy" | "inbox_rule"
>;

function settingValues(settings: HandleSettings) {
  return [
    settings.display_name,
    settings.bio,
    JSON.stringify(settings.tags),
    settings.discoverable ? 1 : 0,
    settings.contact_policy,
    JSON.stringify(settings.inbox_rule),
  ];
}

export async function insertHandle(
  tx: Transaction,
  handle: HandleSettings & { id: string; slug: string; account: number; createdAt: number },
): Promise<StoredHandle> {
  await tx.run(
    `INSERT INTO handles (display_name, bio, tags, discoverable, contact_policy, inbox_rule, id, slug, account, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [...settingValues(handle), handle.id, handle.slug, handle.account, handle.createdAt],
  );
  return (await handleById(tx, handle.id))!;
}

export async function updateHandle(tx: Transaction, pk: number, settings: HandleSettings): Promise<void> {
  await tx.run(
    `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?
     WHERE pk = ?`,
    [...settingValues(settings), pk],
  );
}

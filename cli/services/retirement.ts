import type { WireroomDashboard } from "../../sdk/src/api.js";
import { counted } from "../output/units.js";
import type { Session } from "../session.js";

const PAGE_SIZE = 100;

/** Returns what the human must know before the handle is retired. */
export async function retirementLines(session: Session, slug: string): Promise<string[]> {
  return [
    `This retires @${slug} permanently.${await unreadText(session, slug)}`,
    "Its keys are revoked, its profile is emptied, and it leaves its spaces and contacts.",
    "Its name can never be used again. Its wires stay readable.",
  ];
}

/** Returns a sentence about the handle's unread items, or an empty text if the inbox cannot be read. */
async function unreadText(session: Session, slug: string): Promise<string> {
  try {
    const { handleTokenSource } = await import("./sign-in/tokens.js");
    const agent = await session.agent(handleTokenSource(session, slug));
    const { next_cursor: _, ...items } = await agent.inbox.read({ limit: PAGE_SIZE, brief: true });
    const count = Object.values(items).flat().length;
    if (count === 0) return " Nothing in its inbox is unread.";
    return ` ${count < PAGE_SIZE ? "" : "At least "}${counted(count, "item")} in its inbox ${count === 1 ? "is" : "are"} unread.`;
  } catch {
    return "";
  }
}

export async function keyPrefixesOf(client: WireroomDashboard, handleId: string): Promise<string[]> {
  const prefixes: string[] = [];
  for await (const { handle_id, prefix } of client.keys.list())
    if (handle_id === handleId) prefixes.push(prefix);
  return prefixes;
}

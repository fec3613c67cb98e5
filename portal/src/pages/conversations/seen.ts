import type { Conversation } from "../../api/chat-types.ts";

const stored = "aos.conversations-seen";
/** Conversations of which is kept how far they were read. */
const most = 500;

type Seen = Readonly<Record<string, number>>;

function readSeen(): Seen {
  try {
    return JSON.parse(localStorage.getItem(stored) ?? "{}") as Seen;
  } catch {
    return {};
  }
}

/** Notes in this browser that messages were seen up to a number. */
export function noteSeen(conversation: string, messages: number): void {
  const { [conversation]: _, ...others } = readSeen();
  const kept = [...Object.entries(others), [conversation, messages] as const].slice(-most);
  try {
    localStorage.setItem(stored, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing marks nothing.
  }
}

/** How many messages came since this browser showed the conversation; null: it never did. */
export function unseenIn(): (conversation: Conversation) => number | null {
  const seen = readSeen();
  return ({ conversation_id: id, messages }) => (seen[id] === undefined ? null : Math.max(0, messages - seen[id]));
}

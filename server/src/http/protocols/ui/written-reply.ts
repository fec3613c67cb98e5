import type { ChatEvent, ChatEventData, Conversation, Message } from "../../../features/chat/schemas.ts";
import type { ServiceCalls } from "../service-calls.ts";

export interface WrittenReply {
  readonly turn: string;
  /** Null: it has not begun, or is sent whole by the events after `sequence`. */
  readonly message: Message | null;
  /** The event up to which the message stands. */
  readonly sequence: number;
}

/** How often a reply is read again that grew while it was read. */
const attempts = 10;

/** The reply that is being written, with the event up to which it stands: read between two looks at the conversation that see the same. */
export async function writtenReply(calls: ServiceCalls, conversation: string): Promise<WrittenReply | null> {
  const params = { conversation };
  const read = async (): Promise<Conversation> =>
    (await calls.call<Conversation>("GET /v1/chat/conversations/{conversation}", { params })).output;
  let before = await read();
  for (let attempt = 1; before.busy; attempt++) {
    const { output } = await calls.call<{ data: Message[] }>("GET /v1/chat/conversations/{conversation}/messages", {
      params,
      query: { order: "newest", role: "agent", limit: "5" },
    });
    const message = output.data.find(({ status }) => status === "streaming") ?? null;
    const turn = message?.turn_id ?? (await runningTurn(calls, before));
    if (turn === null) return null;
    const after = await read();
    if (after.sequence === before.sequence) return { turn, message, sequence: after.sequence };
    if (attempt === attempts) return { turn, message: null, sequence: 0 };
    before = after;
  }
  return null;
}

/** How many events before the latest tell of the turn that runs. */
const recent = 100;

/** The turn whose reply has not begun: it began among the latest events. */
async function runningTurn(calls: ServiceCalls, { conversation_id, sequence }: Conversation): Promise<string | null> {
  const { output } = await calls.call<{ data: ChatEvent[] }>("GET /v1/chat/conversations/{conversation}/stream", {
    params: { conversation: conversation_id },
    query: { after: String(Math.max(0, sequence - recent)), limit: String(recent) },
  });
  const changed = output.data.findLast(({ type }) => type === "chat.turn.changed");
  const { turn } = (changed?.data ?? {}) as Partial<ChatEventData["chat.turn.changed"]>;
  return turn?.state === "running" ? turn.turn_id : null;
}

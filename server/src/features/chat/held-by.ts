import { type Hold, type HoldSource, makeHold } from "../../kernel/hold.ts";
import { findKnownAgent } from "../agents/public.ts";
import { type ExhaustedBudget, exhaustedBudgets, exhaustedText, holdOn, sourceOfHeld } from "../governance/public.ts";
import { gateSource, type HoldableTask, type Holding, holdableFields, holdsOfTasks } from "../tasks/public.ts";
import { type ConversationRow, conversationView } from "./conversation-store.ts";
import type { Conversation, Handoff } from "./schemas.ts";

/** A conversation of a page, with what holds it. */
export interface HeldConversation<R extends ConversationRow = ConversationRow> {
  readonly row: R;
  readonly held: Hold | null;
}

/**
 * Conversations with what holds them: that nobody has taken a hand-off yet, what their turns ask people, or what refuses the next message. The same few
 * statements, however many there are.
 */
export async function withHolds<R extends ConversationRow>(
  ctx: Holding,
  rows: readonly R[],
): Promise<HeldConversation<R>[]> {
  const open = rows.filter(({ state }) => state === "open");
  const asked = await holdsOfTurns(
    ctx,
    open.map(({ id }) => id),
  );
  const budgets = open.length === 0 ? [] : await exhaustedBudgets(ctx);
  const holdOf = (row: R): Hold | null => {
    if (row.state !== "open") return null;
    const next = row.handler === null ? refusesNext(ctx, row, budgets) : undefined;
    const behind = asked.get(row.id) ?? (next ? makeHold(next, ctx) : null);
    const handoff = waitingHandoff(row);
    return handoff ? makeHold(handoff, ctx, behind) : behind;
  };
  return rows.map((row) => ({ row, held: holdOf(row) }));
}

/** A conversation as it is now. */
export async function shownConversation(ctx: Holding, row: ConversationRow): Promise<Conversation> {
  const [one] = await withHolds(ctx, [row]);
  return conversationView(row, one?.held ?? null);
}

function waitingHandoff({ id, handler, handoff }: ConversationRow): HoldSource | undefined {
  const asked = handoff as Handoff | null;
  if (handler !== null || asked?.to !== "person" || asked.taken_at !== null) return undefined;
  return { of: "handoff", id, since: asked.requested_at, text: `Waits for a person to take it: ${asked.reason}` };
}

/** What refuses the next message to the agent. */
function refusesNext(
  ctx: Holding,
  { agent, key_id, principal }: ConversationRow,
  budgets: readonly ExhaustedBudget[],
): HoldSource | undefined {
  const live = findKnownAgent(ctx, agent)?.live;
  if (!live) return undefined;
  const held = holdOn(ctx, "chat.message", { agent, versionId: live.id });
  if (held) return sourceOfHeld(held, agent);
  const gate = gateSource(ctx, { agent, version_id: live.id, version_number: live.number });
  if (gate) return gate;
  const own: ReadonlySet<string> = new Set(["environment", `agent:${agent}`, `key:${key_id}`, `member:${principal}`]);
  const free = live.definition.model.provider === "builtin";
  const used = budgets.find(({ scope, unit }) => own.has(scope) && (unit === "tasks" || unit === "steps" || !free));
  return used && { of: "budget", id: used.scope, since: used.since, text: exhaustedText(used) };
}

/** What holds the turns of conversations that are not over, by conversation: what asks people first. */
async function holdsOfTurns(ctx: Holding, conversations: readonly string[]): Promise<ReadonlyMap<string, Hold>> {
  if (conversations.length === 0) return new Map();
  const { scope, db } = ctx;
  const tasks = await db.query<HoldableTask & { of: string }>(
    `select t.conversation as of, ${holdableFields.map((name) => `k.${name}`).join(", ")}
     from chat_turns t join tasks k on k.organization = t.organization and k.environment = t.environment and k.id = t.task
       and k.status in ('queued', 'awaiting_approval', 'input_required')
     where t.organization = $1 and t.environment = $2 and t.conversation = any($3::text[])
       and t.state in ('queued', 'running', 'awaiting_approval', 'input_required')
     order by (k.status = 'queued') desc, k.id desc`,
    [scope.organization, scope.environment, conversations],
  );
  const holds = await holdsOfTasks(ctx, tasks);
  // The last one counts: the oldest that asks people.
  return new Map(
    tasks.flatMap(({ of, id }) => {
      const hold = holds.get(id);
      return hold ? [[of, hold] as const] : [];
    }),
  );
}

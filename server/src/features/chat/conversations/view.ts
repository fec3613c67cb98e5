import { wordsIn } from "@aos/user-texts/widget";
import { type Hold, type HoldSource, makeHold } from "../../../kernel/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { findKnownAgent } from "../../agents/public.ts";
import {
  type ExhaustedBudget,
  exhaustedBudgets,
  exhaustedText,
  holdOn,
  sourceOfHeld,
} from "../../governance/public.ts";
import { gateSource, type HoldableTask, type Holding, holdableFields, holdsOfTasks } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { peopleAnswer } from "../handoffs/rules.ts";
import { handoffView } from "../handoffs/view.ts";
import type { Conversation, Handoff } from "../schemas.ts";
import { type ConversationRow, conversationView } from "./store.ts";

export interface HeldConversation<R extends ConversationRow = ConversationRow> {
  readonly row: R;
  readonly held: Hold | null;
  readonly handoff: Handoff | null;
}

/** A fixed number of statements, however many rows. */
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
    const next = !peopleAnswer(row) ? refusesNext(ctx, row, budgets) : undefined;
    const behind = asked.get(row.id) ?? (next ? makeHold(next, ctx) : null);
    const handoff = waitingHandoff(row);
    return handoff ? makeHold(handoff, ctx, behind) : behind;
  };
  return rows.map((row) => ({ row, held: holdOf(row), handoff: handoffView(ctx, row) }));
}

export async function shownConversation(ctx: Holding, row: ConversationRow): Promise<Conversation> {
  const [one] = await withHolds(ctx, [row]);
  return conversationView(row, one?.held ?? null, one?.handoff ?? null);
}

function waitingHandoff({ id, handler, handoff }: ConversationRow): HoldSource | undefined {
  const asked = handoff as Handoff | null;
  if (handler !== null || asked?.to !== "person" || asked.taken_at !== null) return undefined;
  return { of: "handoff", id, since: asked.requested_at, text: `Waits for a person to take it: ${asked.reason}` };
}

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

/** By conversation; what asks people counts first. */
async function holdsOfTurns(ctx: Holding, conversations: readonly string[]): Promise<ReadonlyMap<string, Hold>> {
  if (conversations.length === 0) return new Map();
  const { scope, db } = ctx;
  const tasks = await db.query<HoldableTask & { of: string }>(
    `select t.conversation as of, ${holdableFields.map((name) => `k.${name}`).join(", ")}
     from chat_turns t join ${taskRows} k on k.organization = t.organization and k.environment = t.environment and k.id = t.task
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

/**
 * Hides from holders of a chat token what is inside the service: names of agents and tools, what tools were given and answered, what approvals are about, ids of
 * knowledge, and what is said about the user to others.
 */
export function seenBy<T>({ chat }: Pick<Principal, "chat">, value: T): T {
  return chat ? (shown(value) as T) : value;
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, shown(one)]),
  );
  if (copy.type === "tool_call") return { ...copy, tool: "tool", arguments: {}, result: null, failure: null };
  if (copy.type === "approval") return { ...copy, summary: "", approve_url: "" };
  if (copy.type === "citation") return { ...copy, base: null, document_id: null, chunk_id: null };
  if (copy.role === "agent" && "author" in copy) return { ...copy, author: { kind: "agent", id: null, name: "" } };
  return "handler" in copy || "handoff" in copy ? shownToUser(copy) : copy;
}

/** A conversation, or what of one an event tells: its agent has the name by which users know it. */
function shownToUser(copy: Record<string, unknown>): Record<string, unknown> {
  const { language, handler, handoff } = copy as Partial<Pick<Conversation, "language" | "handler" | "handoff">>;
  const agent = wordsIn(language).words.agent;
  const asked = handoff && { ...handoff, reason: "", summary: "", member: null, requested_by: "" };
  return {
    ...copy,
    ...("agent" in copy ? { agent } : {}),
    ...(handler?.kind === "agent" ? { handler: { ...handler, id: "", name: agent } } : {}),
    ...("handoff" in copy ? { handoff: asked } : {}),
    held_by: null,
    context: {},
    labels: [],
  };
}

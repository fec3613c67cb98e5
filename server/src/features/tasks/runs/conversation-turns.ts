import { setImmediate } from "node:timers/promises";
import { type Decider, unite } from "../../../kernel/actor.ts";
import type { ChatTurn, Tell } from "../../../kernel/chat-turn.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { HandoffCall } from "../../../kernel/handoff.ts";
import type { NewId } from "../../../kernel/ids.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import { definePort } from "../../../kernel/port.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { decidersOfVersions, type ReadVersion } from "../../knowledge/public.ts";
import { lowestOfTask } from "../events/store.ts";
import type { LeaseKey } from "../steps/store.ts";
import type { TaskRow } from "../tasks/store.ts";
import { type Call, comparisonOf, type Passage } from "./copied-from.ts";
import { inputOfRow, type LoadedTask } from "./rules.ts";

export interface TurnParts {
  readonly db: Reader;
  readonly inside: RunInside;
  readonly facts: FactsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Replaces the run's placeholders by their values. */
  readonly restore: (text: string) => string;
  /** Called after something was stored that followers should see. */
  readonly stored: () => void;
}

/** A turn of a conversation whose run this process has claimed. */
export interface OpenTurn {
  readonly chat: ChatTurn;
  readonly tell: Tell;
}

/** A text besides the messages that a conversation's agent reads. */
export interface ConversationText {
  readonly text: string;
  readonly deciders: readonly Decider[];
}

/** Texts of a conversation besides what its turns look up. */
export const conversationTexts = definePort<{
  /** Memories of the conversation and its user, and the texts of its files. */
  list(ctx: WriteContext, conversation: string): Promise<readonly ConversationText[]>;
  /** Ids of the conversations whose messages are shown in one: its own, and those that it was forked from. */
  history(ctx: WriteContext, conversation: string): Promise<readonly string[]>;
}>("texts of conversations");

/** What runs need of conversations: the model's messages, and where its reply is written. `open` returns null if the conversation is gone. */
export const conversationTurns = definePort<{
  open(parts: TurnParts, lease: LeaseKey, work: LoadedTask): Promise<OpenTurn | null>;
  /** Hands a conversation to a team, and returns the text for the user. Null: people have it already, or it is closed. */
  handOver(
    ctx: WriteContext,
    conversation: string,
    handing: HandoffCall & { readonly by: string },
  ): Promise<string | null>;
}>("turns of conversations");

/** Deciders of the texts from which a call's arguments come, as far as its run has read them: rule C of decision 0064. */
export async function decidersOfPassages(
  ctx: WriteContext,
  row: TaskRow,
  call: Omit<Call, "input">,
): Promise<Decider[]> {
  const { conversation } = row;
  const own = await listRead(ctx, row);
  const earlier = conversation === null ? [] : await listReadBefore(ctx, row, conversation);
  const remembered = conversation === null ? [] : await ctx.port(conversationTexts).list(ctx, conversation);
  if (own.length + earlier.length + remembered.length === 0) return [];
  const { message, ...given } = inputOfRow(row);
  const input = conversation === null ? { message, ...given } : { message }; // the rest of a turn's is counts and ids
  const comesFrom = comparisonOf({ ...call, input });
  const versions = new Map<string, ReadVersion>();
  for (const { version, ...passage } of [...own, ...earlier]) {
    await setImmediate(); // a run may have read a lot, and others wait
    const key = keyOf(version);
    if (!versions.has(key) && (passage.isErased || comesFrom(passage))) versions.set(key, version);
  }
  const written = remembered.filter(({ text }) => comesFrom({ value: text, isRecord: false }));
  return unite(
    await decidersOfVersions(ctx, [...versions.values()]),
    written.flatMap(({ deciders }) => deciders),
  );
}

/** Deciders of the texts that a task has read. */
export async function decidersOfAllRead(ctx: WriteContext, row: TaskRow): Promise<Decider[]> {
  const read = await listRead(ctx, row);
  const versions = new Map(read.map(({ version }) => [keyOf(version), version]));
  return decidersOfVersions(ctx, [...versions.values()]);
}

const keyOf = ({ document, version }: ReadVersion): string => `${document} ${version}`;

interface ReadPassage extends Passage {
  readonly version: ReadVersion;
  /** Its text was erased. */
  readonly isErased?: boolean;
}

interface ReadStep {
  readonly output: string | null;
  readonly read: readonly ReadVersion[];
}

/** Passages that look-ups and searches of the task's run returned, with their documents. */
async function listRead(ctx: WriteContext, { id, started_at }: TaskRow): Promise<ReadPassage[]> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<ReadStep>(
    `select output, read from steps
     where organization = $1 and environment = $2 and task_id = $3 and id >= $4 and started_at >= $5 and read is not null and output is not null
     order by number, id`,
    [organization, environment, id, lowestOfTask("stp", id), started_at],
  );
  return rows.flatMap(passagesOf);
}

/** How much of a conversation is searched. */
const most = { turns: 1_000, steps: 500 };

/** Passages that earlier turns read, also of conversations that it was forked from: their replies are shown to its model. The latest first. */
async function listReadBefore(ctx: WriteContext, { id }: TaskRow, conversation: string): Promise<ReadPassage[]> {
  const { organization, environment } = ctx.scope;
  const shown = await ctx.port(conversationTexts).history(ctx, conversation);
  const turns = await ctx.db.query<{ id: string }>(
    `select id from tasks where organization = $1 and environment = $2 and conversation = any($3::text[]) and id < $4
     order by id desc limit ${most.turns}`,
    [organization, environment, shown, id],
  );
  const first = turns.at(-1);
  if (!first) return [];
  const rows = await ctx.db.query<ReadStep>(
    `select output, read from steps
     where organization = $1 and environment = $2 and task_id = any($3::text[]) and id >= $4 and read is not null and state = 'finished'
     order by id desc limit ${most.steps}`,
    [organization, environment, turns.map((turn) => turn.id), lowestOfTask("stp", first.id)],
  );
  return rows.flatMap((row) => passagesOf(row).map((passage) => ({ ...passage, hasOtherPlaceholders: true })));
}

const foundJson = storedJson<{ output: { chunks?: readonly Record<string, unknown>[]; fields?: unknown } }>();

function passagesOf({ output, read }: ReadStep): ReadPassage[] {
  if (output === null) return read.map((version) => ({ version, value: null, isRecord: false, isErased: true }));
  const { chunks, fields } = foundJson({ output }, "output");
  if (chunks === undefined) return read.map((version) => ({ version, value: fields, isRecord: true }));
  return read.flatMap((version, at) => {
    const { title, headings, text, url } = chunks[at] ?? {};
    return [{ version, value: { title, headings, text, url }, isRecord: false }];
  });
}

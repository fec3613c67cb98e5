import { setImmediate } from "node:timers/promises";
import { type Decider, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { decidersOfVersions, type ReadVersion } from "../knowledge/public.ts";
import { lowestOfTask, type TaskRow } from "../tasks/public.ts";
import { conversationTexts } from "./conversation-turns.ts";
import { type Call, comparisonOf, type Passage } from "./copied-from.ts";
import { inputOfRow } from "./model.ts";

/** Who decided the texts from which a call's arguments come, as far as its run has read them: rule C of decision 0064. */
export async function decidersOfPassages(
  ctx: WriteContext,
  row: TaskRow,
  call: Omit<Call, "input">,
): Promise<Decider[]> {
  const { conversation } = row;
  const own = await listRead(ctx, row);
  const earlier = conversation === null ? [] : await listReadBefore(ctx, row, conversation);
  const remembered = conversation === null ? [] : await conversationTexts().list(ctx, conversation);
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

/** Who decided the texts that a task has read. */
export async function decidersOfAllRead(ctx: WriteContext, row: TaskRow): Promise<Decider[]> {
  const read = await listRead(ctx, row);
  const versions = new Map(read.map(({ version }) => [keyOf(version), version]));
  return decidersOfVersions(ctx, [...versions.values()]);
}

const keyOf = ({ document, version }: ReadVersion): string => `${document} ${version}`;

interface ReadPassage extends Passage {
  readonly version: ReadVersion;
  /** Nobody can tell any more what it said. */
  readonly isErased?: boolean;
}

interface ReadStep {
  readonly output: string | null;
  readonly read: readonly ReadVersion[];
}

/** What look-ups and searches of the task's run gave its model, with the document of each. */
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

/** How far back a conversation is looked through. */
const most = { turns: 1_000, steps: 500 };

/** What earlier turns of a conversation read, also of those that it was forked from: their answers are shown to its model. The latest first. */
async function listReadBefore(ctx: WriteContext, { id }: TaskRow, conversation: string): Promise<ReadPassage[]> {
  const { organization, environment } = ctx.scope;
  const shown = await conversationTexts().history(ctx, conversation);
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

function passagesOf({ output, read }: ReadStep): ReadPassage[] {
  if (output === null) return read.map((version) => ({ version, value: null, isRecord: false, isErased: true }));
  const { chunks, fields } = JSON.parse(output) as { chunks?: readonly Record<string, unknown>[]; fields?: unknown };
  if (chunks === undefined) return read.map((version) => ({ version, value: fields, isRecord: true }));
  return read.flatMap((version, at) => {
    const { title, headings, text } = chunks[at] ?? {};
    return [{ version, value: { title, headings, text }, isRecord: false }];
  });
}

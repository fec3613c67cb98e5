import { timestamp } from "../../../kernel/clock.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Position } from "../../../kernel/page.ts";
import type { ReaderTokens } from "../access.ts";
import type { Seeing } from "../bases/lookup-store.ts";
import type { FoundChunk } from "../search/store.ts";
import { groupOf, groupQuestions, type QuestionGroup } from "./grouping.ts";
import { foundView, type Retrieving, retrieve } from "./run-test.ts";
import type { KnowledgeGap } from "./schemas.ts";
import { listQuestions, type SearchedBase, type StoredQuestion } from "./store.ts";

const mostWordings = 5;

export interface GapFilter {
  readonly asked_after?: string;
  readonly asked_before?: string;
  readonly resolved?: boolean;
}

export interface GapRow {
  readonly group: QuestionGroup<StoredQuestion>;
  readonly resolvedAt: number | null;
  readonly best: FoundChunk | null;
}

/** Most asked first, then latest. */
export function gapPosition({ group: { asked } }: Pick<GapRow, "group">): Position {
  const [newest] = asked as [StoredQuestion];
  return { keys: [asked.length, newest.at], id: newest.id };
}

export async function listGapRows(
  ctx: Retrieving & Seeing,
  base: SearchedBase,
  { asked_after, asked_before, resolved = false }: GapFilter,
  { after, take }: PageRequest,
  reader: ReaderTokens,
): Promise<GapRow[]> {
  const from = asked_after === undefined ? null : new Date(asked_after);
  const to = asked_before === undefined ? null : new Date(asked_before);
  const groups = groupQuestions(await listQuestions(ctx, base, { after: from, before: to, answered: false }));
  const answered = resolutions(groups, await listQuestions(ctx, base, { after: from, before: null, answered: true }));
  const rows = groups
    .map((group) => ({ group, resolvedAt: answered.get(group) ?? null }))
    .filter(({ resolvedAt }) => (resolvedAt !== null) === resolved);
  const begin = after === undefined ? 0 : rows.findIndex((row) => isBehind(gapPosition(row), after));
  const page = begin < 0 ? [] : rows.slice(begin, begin + take);
  return Promise.all(
    page.map(async (row) => {
      const { words } = await retrieve(ctx, base, row.group.question, reader, ["words"]);
      return { ...row, best: words[0] ?? null };
    }),
  );
}

function resolutions<Q extends StoredQuestion>(
  groups: readonly QuestionGroup<Q>[],
  answered: readonly StoredQuestion[],
): ReadonlyMap<QuestionGroup<Q>, number> {
  const find = groupOf(groups);
  const found = new Map<QuestionGroup<Q>, number>();
  for (const question of answered) {
    const group = find(question);
    if (group && question.at > (group.asked[0] as Q).at)
      found.set(group, Math.min(question.at, found.get(group) ?? Number.POSITIVE_INFINITY));
  }
  return found;
}

function isBehind(position: Position, after: Position): boolean {
  const [asked, at] = position.keys.map(Number) as [number, number];
  const [askedBefore, atBefore] = after.keys.map(Number) as [number, number];
  return asked - askedBefore || at - atBefore ? (asked - askedBefore || at - atBefore) < 0 : position.id < after.id;
}

export function gapView({ group: { question, asked }, resolvedAt, best }: GapRow): KnowledgeGap {
  const agents = asked.flatMap(({ agent }) => agent ?? []);
  return {
    question,
    asked: asked.length,
    wordings: [...new Set(asked.map(({ query }) => query.trim()))].slice(0, mostWordings),
    first_asked_at: timestamp((asked.at(-1) as StoredQuestion).at),
    last_asked_at: timestamp((asked[0] as StoredQuestion).at),
    agents: [...new Set(agents)].sort(),
    by_people: agents.length < asked.length,
    resolved_at: resolvedAt === null ? null : timestamp(resolvedAt),
    best: best && foundView(best),
  };
}

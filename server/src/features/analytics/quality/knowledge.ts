import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { basesWithin } from "../../agents/public.ts";
import {
  type AskedQuestion,
  groupQuestions,
  readableQuestion,
  readerTokens,
  reviewDueText,
  visibleText,
} from "../../knowledge/public.ts";
import {
  documentRows,
  documentUsageRows,
  knowledgeBaseRows,
  knowledgeQuestionRows,
} from "../../knowledge/shared-rows.ts";
import type { FigureWindow } from "../figures/window.ts";
import type { Point } from "../figures/window-schemas.ts";
import { type TimeWindow, windowsOf } from "../rollups/plan.ts";
import { type Estimate, wilson } from "./drift-rules.ts";
import { agentsIn, mayRead, scopeOf } from "./scope.ts";

const mostUnused = 50;
const mostGaps = 20;

export async function knowledgeFigures(ctx: ReadContext, window: FigureWindow) {
  const found = await listBases(ctx, window);
  const ids = found.map(({ id }) => id);
  const isNamed = mayRead(ctx, "knowledge:read");
  const windows = windowsOf(window, Number.POSITIVE_INFINITY) ?? [];
  const [asked, unused, gaps] = await Promise.all([
    countQuestions(ctx, window, ids, windows),
    isNamed ? listUnused(ctx, window, ids, mostUnused) : [],
    isNamed ? listGaps(ctx, window, ids, mostGaps) : [],
  ]);
  const byBase = Map.groupBy(asked, ({ base }) => base);
  const byPlace = Map.groupBy(asked, ({ place }) => place);
  return {
    ...summed(asked),
    series: windows.map(({ from, to }, at): Point => {
      const { questions, hit_rate } = summed(byPlace.get(at + 1));
      const values = { questions, hit_rate: hit_rate?.value ?? null };
      return { from: timestamp(from), to: timestamp(to), complete: to <= ctx.now, values };
    }),
    bases: found.map((base) => baseView(base, byBase.get(base.id))).sort((a, b) => b.questions - a.questions),
    unused: unused.map(({ id, base, title, last_retrieved_at, created_at }) => ({
      document_id: id,
      base_id: base,
      title,
      created_at: timestamp(created_at.getTime()),
      last_retrieved_at: last_retrieved_at && timestamp(last_retrieved_at.getTime()),
    })),
    gaps: gaps.map(({ base, last_asked_at, ...gap }) => ({
      base_id: base,
      ...gap,
      last_asked_at: timestamp(last_asked_at.getTime()),
      link: `/v1/knowledge/bases/${base}/gaps`,
    })),
  };
}

function summed(rows: readonly AskedRow[] = []): { questions: number; hit_rate: Estimate | null } {
  const questions = rows.reduce((sum, row) => sum + row.questions, 0);
  const answered = rows.reduce((sum, row) => sum + row.answered, 0);
  return { questions, hit_rate: questions === 0 ? null : wilson(answered, questions) };
}

function baseView({ id, name, documents, unused, stale }: BaseRow, asked: readonly AskedRow[] | undefined) {
  const path = `/v1/knowledge/bases/${id}`;
  return {
    base_id: id,
    name,
    documents,
    unused,
    stale,
    ...summed(asked),
    links: { documents: `${path}/documents`, gaps: `${path}/gaps`, stale: `${path}/stale` },
  };
}

// What knowledge bases were asked, and what of them nobody needed. Of what a caller may not read, nothing is counted.

const mostBases = 100;
const mostQuestions = 50_000;
/** Questions without an answer that are grouped: the latest. */
const mostUnanswered = 5_000;

export interface BaseRow {
  readonly id: string;
  readonly name: string;
  readonly documents: number;
  readonly unused: number;
  readonly stale: number;
}

/** SQL: of documents `d` with their use `u`, those that no search found since `$3`, and that are older. */
const unused = `d.created_at < $3 and (u.last_retrieved_at is null or u.last_retrieved_at < $3)`;
const joinUse = `left join ${documentUsageRows} u on u.organization = $1 and u.environment = $2 and u.document = d.id`;

/** Bases that the caller sees with their documents, in the order of their names; a key that is narrowed to agents sees those that its agents name. */
export async function listBases(ctx: ReadContext, { from }: Pick<FigureWindow, "from">): Promise<BaseRow[]> {
  const values: unknown[] = [...scopeOf(ctx), new Date(from), await basesWithin(ctx)];
  const sight = [readerTokens(ctx.principal)];
  const bind = (value: unknown) => `$${values.push(value)}`;
  return ctx.db.query<BaseRow>(
    `select b.id, b.name, c.documents, c.unused, c.stale from ${knowledgeBaseRows} b cross join lateral (
       select count(*)::int as documents, (count(*) filter (where ${unused}))::int as unused, (count(*) filter (where ${reviewDueText} <= now()))::int as stale
       from ${documentRows} d ${joinUse}
       where d.organization = $1 and d.environment = $2 and d.base = b.id and d.state = 'indexed' and ${visibleText(sight, ["d.readers"], bind)}) c
     where b.organization = $1 and b.environment = $2 and ($4::text[] is null or b.name = any($4)) and ${visibleText(sight, ["b.readers"], bind)}
     order by b.name limit ${mostBases}`,
    values,
  );
}

export interface UnusedRow {
  readonly id: string;
  readonly base: string;
  readonly title: string;
  readonly last_retrieved_at: Date | null;
  readonly created_at: Date;
}

/** Documents of these bases that no search found since the window began, the oldest first. */
export function listUnused(
  ctx: ReadContext,
  { from }: Pick<FigureWindow, "from">,
  bases: readonly string[],
  most: number,
): Promise<UnusedRow[]> {
  const values: unknown[] = [...scopeOf(ctx), new Date(from), bases, most];
  const seen = visibleText([readerTokens(ctx.principal)], ["d.readers"], (value) => `$${values.push(value)}`);
  return ctx.db.query(
    `select d.id, d.base, d.title, u.last_retrieved_at, d.created_at from ${documentRows} d ${joinUse}
     where d.organization = $1 and d.environment = $2 and d.base = any($4::text[]) and d.state = 'indexed' and ${unused} and ${seen}
     order by d.created_at limit $5`,
    values,
  );
}

/** SQL: the newest questions of the bases `$3` from `$4` to `$5` that the agents `$6` asked and the caller may read; those of people too where `$6` is null. */
const questions = ({ principal }: ReadContext, values: unknown[]): string => `
  select q.* from unnest($3::text[]) b(id) cross join lateral (
    select id, base, query, agent, answered, at from ${knowledgeQuestionRows} q
    where q.organization = $1 and q.environment = $2 and q.base = b.id and q.at >= $4 and q.at < $5 and ($6::text[] is null or q.agent = any($6))
      and ${readableQuestion(principal, (value) => `$${values.push(value)}`)}
    order by q.at desc limit ${mostQuestions}) q`;

const asked = (ctx: ReadContext, window: FigureWindow, bases: readonly string[]): unknown[] => [
  ...scopeOf(ctx),
  bases,
  new Date(window.from),
  new Date(window.to),
  agentsIn(ctx, window),
];

export interface AskedRow {
  readonly base: string;
  /** Place of the window, from 1. */
  readonly place: number;
  readonly questions: number;
  readonly answered: number;
}

export const countQuestions = (
  ctx: ReadContext,
  window: FigureWindow,
  bases: readonly string[],
  windows: readonly TimeWindow[],
): Promise<AskedRow[]> => {
  const values = [...asked(ctx, window, bases), windows.map(({ from }) => new Date(from))];
  const found = questions(ctx, values);
  return ctx.db.query(
    `select base, width_bucket(at, $7::timestamptz[]) as place, count(*)::int as questions, (count(*) filter (where answered))::int as answered
     from (${found}) q group by 1, 2`,
    values,
  );
};

export interface GapRow {
  readonly base: string;
  readonly question: string;
  readonly asked: number;
  readonly last_asked_at: Date;
  readonly agents: string[];
}

/** Near-duplicates are one gap, under the wording that was used most; most asked first, then latest. */
export async function listGaps(
  ctx: ReadContext,
  window: FigureWindow,
  bases: readonly string[],
  most: number,
): Promise<GapRow[]> {
  const values = asked(ctx, window, bases);
  const rows = await ctx.db.query<AskedQuestion & { base: string; agent: string | null; asked_at: Date }>(
    `select q.id, q.base, q.query, q.agent, q.at as asked_at, extract(epoch from q.at)::float8 as at,
       tsvector_to_array(to_tsvector(b.language::regconfig, q.query)) as stems
     from (${questions(ctx, values)}) q join ${knowledgeBaseRows} b on b.organization = $1 and b.environment = $2 and b.id = q.base
     where not q.answered order by q.at desc limit ${mostUnanswered}`,
    values,
  );
  const groups = [...Map.groupBy(rows, ({ base }) => base)].flatMap(([base, own]) =>
    groupQuestions(own).map((group) => ({ base, ...group })),
  );
  return groups
    .map(({ base, question, asked: same }) => ({
      base,
      question,
      asked: same.length,
      last_asked_at: (same[0] as (typeof same)[number]).asked_at,
      agents: [...new Set(same.flatMap(({ agent }) => agent ?? []))].sort(),
    }))
    .sort((a, b) => b.asked - a.asked || b.last_asked_at.getTime() - a.last_asked_at.getTime())
    .slice(0, most);
}

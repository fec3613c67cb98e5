import type { ReadContext } from "../../kernel/context.ts";
import { basesWithin } from "../agents/public.ts";
import { readableQuestion, readerTokens, reviewDueText, visibleText } from "../knowledge/public.ts";
import type { TimeWindow } from "./plan-windows.ts";
import { agentsIn, scopeOf } from "./quality-scope.ts";
import type { FigureWindow } from "./window.ts";

// What knowledge bases were asked, and what of them nobody needed. Of what a caller may not read, nothing is counted.

const mostBases = 100;
const mostQuestions = 50_000;

export interface BaseRow {
  readonly id: string;
  readonly name: string;
  readonly documents: number;
  readonly unused: number;
  readonly stale: number;
}

/** SQL: of documents `d` with their use `u`, those that no search found since `$3`, and that are older. */
const unused = `d.created_at < $3 and (u.last_retrieved_at is null or u.last_retrieved_at < $3)`;
const joinUse = `left join document_usage u on u.organization = $1 and u.environment = $2 and u.document = d.id`;

/** Bases that the caller sees with their documents, in the order of their names; a key that is narrowed to agents sees those that its agents name. */
export async function listBases(ctx: ReadContext, { from }: Pick<FigureWindow, "from">): Promise<BaseRow[]> {
  const values: unknown[] = [...scopeOf(ctx), new Date(from), await basesWithin(ctx)];
  const sight = [readerTokens(ctx.principal)];
  const bind = (value: unknown) => `$${values.push(value)}`;
  return ctx.db.query<BaseRow>(
    `select b.id, b.name, c.documents, c.unused, c.stale from knowledge_bases b cross join lateral (
       select count(*)::int as documents, (count(*) filter (where ${unused}))::int as unused, (count(*) filter (where ${reviewDueText} <= now()))::int as stale
       from documents d ${joinUse}
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
    `select d.id, d.base, d.title, u.last_retrieved_at, d.created_at from documents d ${joinUse}
     where d.organization = $1 and d.environment = $2 and d.base = any($4::text[]) and d.state = 'indexed' and ${unused} and ${seen}
     order by d.created_at limit $5`,
    values,
  );
}

/** SQL: the newest questions of the bases `$3` from `$4` to `$5` that the agents `$6` asked and the caller may read; those of people too where `$6` is null. */
const questions = ({ principal }: ReadContext, values: unknown[]): string => `
  select q.* from unnest($3::text[]) b(id) cross join lateral (
    select base, query, agent, answered, at from knowledge_questions q
    where q.organization = $1 and q.environment = $2 and q.base = b.id and q.at >= $4 and q.at < $5 and ($6::text[] is null or q.agent = any($6))
      and ${readableQuestion(principal, (value) => `$${values.push(value)}`)}
    order by q.at desc limit ${mostQuestions}) q`;

const asked = (ctx: ReadContext, window: FigureWindow, bases: readonly string[]): unknown[] => [
  ...scopeOf(ctx),
  ...[bases, new Date(window.from), new Date(window.to), agentsIn(ctx, window)],
];

export interface AskedRow {
  readonly base: string;
  /** Place of the window, from 1. */
  readonly place: number;
  readonly questions: number;
  readonly answered: number;
}

/** Questions by base and window. */
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

/** What was asked most without a good answer, word for word but for case and spaces. */
export const listGaps = (
  ctx: ReadContext,
  window: FigureWindow,
  bases: readonly string[],
  most: number,
): Promise<GapRow[]> => {
  const values = [...asked(ctx, window, bases), most];
  const found = questions(ctx, values);
  return ctx.db.query(
    `select base, (array_agg(query order by at desc))[1] as question, count(*)::int as asked, max(at) as last_asked_at,
       coalesce(array_agg(distinct agent) filter (where agent is not null), '{}') as agents
     from (${found}) q where not answered
     group by base, lower(regexp_replace(btrim(query), '\\s+', ' ', 'g')) order by 3 desc, 4 desc limit $7`,
    values,
  );
};

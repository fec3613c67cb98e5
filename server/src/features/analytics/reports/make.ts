import type { FactsReader } from "../../../kernel/facts.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { type FigureWindow, figuresOf, type Reading, tableOf, windowOf } from "../figures/window.ts";
import { type ChapterName, chapters } from "./chapters.ts";
import { definitionOf, type ReportRow } from "./resource.ts";
import type { CreateReportBody } from "./schemas.ts";
import { csvOf, htmlOf, type MeasuredChapter, markdownOf } from "./text.ts";

export interface Making {
  readonly scope: Scope;
  readonly db: Statements;
  readonly facts: FactsReader;
  readonly now: number;
}

export interface MadeReport {
  readonly from: number;
  readonly to: number;
  readonly complete: boolean;
  readonly mediaType: string;
  readonly text: string;
}

const mostRows = 15;
const writers = {
  markdown: { mediaType: "text/markdown", write: markdownOf },
  html: { mediaType: "text/html", write: htmlOf },
  csv: { mediaType: "text/csv", write: csvOf },
} as const;

/** Makes a report for a time of its schedule, of what its author may see. */
export async function makeReport(making: Making, row: ReportRow, at: number): Promise<MadeReport> {
  const definition = definitionOf(row);
  const { time_zone = "UTC", format = "markdown", agent, label } = definition;
  const { from, to } = periodBefore(definition, at);
  const ctx = contextOf(making, row);
  const window = windowOf(ctx, {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    time_zone,
    ...(agent !== undefined && { agent }),
    ...(label !== undefined && { label }),
  });
  const names = definition.chapters ?? ["overview", "costs", "quality"];
  const measured = await Promise.all(names.map((name) => measureChapter(ctx, window, name)));
  const complete = measured.every((one) => one.complete);
  const day = (time: number): string => new Intl.DateTimeFormat("en-CA", { timeZone: time_zone }).format(time);
  const only = [...(agent === undefined ? [] : [`agent ${agent}`]), ...(label === undefined ? [] : [label])];
  const { mediaType, write } = writers[format];
  const text = write({
    name: definition.name,
    from: day(from),
    to: day(to - 1),
    timeZone: time_zone,
    environment: making.scope.environment,
    complete,
    only,
    chapters: measured.map(({ chapter }) => chapter),
  });
  return { from, to, complete, mediaType, text };
}

async function measureChapter(
  ctx: Reading,
  window: FigureWindow,
  name: ChapterName,
): Promise<{ readonly chapter: MeasuredChapter; readonly complete: boolean }> {
  const { measures, tables } = chapters[name];
  const whole = await figuresOf(ctx, window, { measures });
  const parts = await Promise.all(
    tables.map(async ({ by, measures: asked }) => {
      const limits = { sort: `-${asked[0]}` as const, limit: mostRows };
      const { rows, more } = await tableOf(ctx, window, { measures: asked, dimensions: [by], ...limits });
      return { by, rows, more };
    }),
  );
  return { chapter: { chapter: name, figures: whole.figures, tables: parts }, complete: whole.complete };
}

/** As whoever created the report would ask. */
function contextOf({ scope, db, facts, now }: Making, { agents }: ReportRow): Reading {
  const nobody = { role: null, keyId: null, scopes: null, personal: false, issuers: [] };
  const load = () => Promise.reject(new Error("A report has no loaders."));
  return {
    scope,
    facts,
    now,
    db: { query: db.query.bind(db), load },
    principal: { kind: "system", id: "system:sweeper", ...nobody, agents },
  };
}

const dayMs = 86_400_000;
const periods = {
  day: { schedule: "0 0 * * *", longest: dayMs + 7_200_000 },
  week: { schedule: "0 0 * * 1", longest: 7 * dayMs + 7_200_000 },
  month: { schedule: "0 0 1 * *", longest: 31 * dayMs + 7_200_000 },
} as const;

/** The last whole period before a moment, in milliseconds: from midnight to midnight by the clock of the zone. */
export function periodBefore(
  { period, time_zone = "UTC" }: Pick<CreateReportBody, "period" | "time_zone">,
  at: number,
): { readonly from: number; readonly to: number } {
  const { schedule, longest } = periods[period];
  const next = (after: number): number => nextTime({ schedule, time_zone }, after)?.getTime() as number;
  const starts = [next(at - 2 * longest - 1)];
  for (let start = next(starts[0] as number); start <= at; start = next(start)) starts.push(start);
  const [from, to] = starts.slice(-2) as [number, number];
  return { from, to };
}

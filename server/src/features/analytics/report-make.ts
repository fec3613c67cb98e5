import type { FactsReader } from "../../kernel/facts.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { type ChapterName, chapters } from "./report-chapters.ts";
import { periodBefore } from "./report-model.ts";
import type { ReportRow } from "./report-store.ts";
import { csvOf, htmlOf, type MeasuredChapter, markdownOf } from "./report-text.ts";
import { definitionOf } from "./report-view.ts";
import { type FigureWindow, figuresOf, type Reading, tableOf, windowOf } from "./window.ts";

/** What making a report needs: a scope and a handle, outside of any call. */
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

/** Rows of a table at most. */
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
    ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString(), time_zone },
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
    ...{ name: definition.name, from: day(from), to: day(to - 1), timeZone: time_zone },
    ...{ environment: making.scope.environment, complete, only },
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
    ...{ scope, facts, now, db: { query: db.query.bind(db), load } },
    principal: { kind: "system", id: "system:sweeper", ...nobody, agents },
  };
}

import { timestamp } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { type Estimate, wilson } from "./drift-intervals.ts";
import {
  type AskedRow,
  type BaseRow,
  countQuestions,
  listBases,
  listGaps,
  listUnused,
} from "./knowledge-figures-store.ts";
import { windowsOf } from "./plan-windows.ts";
import { mayRead } from "./quality-scope.ts";
import type { FigureWindow } from "./window.ts";
import type { Point } from "./window-schemas.ts";

const mostUnused = 50;
const mostGaps = 20;

/** Whether knowledge bases had what was asked of them. */
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
      ...{ document_id: id, base_id: base, title, created_at: timestamp(created_at.getTime()) },
      last_retrieved_at: last_retrieved_at && timestamp(last_retrieved_at.getTime()),
    })),
    gaps: gaps.map(({ base, last_asked_at, ...gap }) => ({
      ...{ base_id: base, ...gap, last_asked_at: timestamp(last_asked_at.getTime()) },
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
    ...{ base_id: id, name, documents, unused, stale, ...summed(asked) },
    links: { documents: `${path}/documents`, gaps: `${path}/gaps`, stale: `${path}/stale` },
  };
}

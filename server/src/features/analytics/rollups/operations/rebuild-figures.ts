import { refuse } from "../../../../kernel/errors.ts";
import { momentOf } from "../../../../kernel/moment.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { minuteMs } from "../families.ts";
import { Rebuild, RebuildBody } from "../rebuild-schemas.ts";
import { exampleRebuild, oldestMinute, rebuildView, storeRebuild } from "../rebuild-store.ts";

const minute = (ms: number): number => Math.floor(ms / minuteMs);

export const rebuildFigures = defineOperation({
  id: "analytics.rebuildFigures",
  method: "POST",
  path: "/v1/analytics/rebuild",
  summary: "Recount figures",
  description:
    "Throws away the figures of a stretch of time and recounts them from tasks, approvals, violations and deliveries, some minutes at a time; figures stay exact meanwhile. " +
    "For a label that was declared later than the tasks that have it. `GET /v1/analytics/rebuild` tells how far it is.",
  body: RebuildBody,
  output: Rebuild,
  status: 202,
  location: () => "/v1/analytics/rebuild",
  example: { body: {}, output: exampleRebuild },
  permission: "analytics:write",
  load: exempt("names no object"),
  narrowing: whole("counts what all agents did"),
  gate: exempt("makes no agent act"),
  decides: exempt("figures are for people"),
  compliance: governs("analytics.change"),
  audit: "analytics",
  errors: [conflict],
  async handle(ctx, { body }) {
    const { from, to } = body;
    const now = minute(ctx.now) + 1;
    const ends = to === undefined ? now : Math.min(now, Math.ceil(momentOf(to) / minuteMs));
    const oldest = await oldestMinute(ctx.db, ctx.scope);
    const starts = from === undefined ? Math.min(oldest ?? now, ends) : minute(momentOf(from));
    if (starts > ends) {
      const detail = "is not before `to`, or not before now: name an earlier time";
      throw refuse(invalidBody, `/from: ${detail}`, { errors: [{ pointer: "/from", code: "out_of_order", detail }] });
    }
    const row = await storeRebuild(ctx, { starts, ends });
    if (!row)
      throw refuse(conflict, "A rebuild is already running: wait until `GET /v1/analytics/rebuild` says `finished`.");
    return rebuildView(row);
  },
});

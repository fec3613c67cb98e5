import { actorOfCall, storable } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { nextTime, scheduleFaults } from "../../../../kernel/schedule.ts";
import { settingsOf } from "../../../admin/public.ts";
import { labelFaults, readerFaults } from "../../alerts/rules.ts";
import { knownMembers } from "../../alerts/store.ts";
import { exampleReport } from "../../example.ts";
import { tooManyReports } from "../../limit.ts";
import { CreateReportBody } from "../../schemas.ts";
import { reports } from "../resource.ts";

const { name, schedule, time_zone, period, chapters, format } = exampleReport;

export const createReport = defineOperation({
  ...reports.changeOfAll(),
  ...reports.answer,
  id: "analytics.createReport",
  method: "POST",
  status: 201,
  summary: "Have a report made by a schedule",
  description:
    "Makes a report about the last whole day, week or month each time that its schedule comes, keeps it for 400 days, and tells of it by `analytics.report.ready` and by e-mail. " +
    "It is made with the permissions of whoever created it, tells only of the agents that their key may see, and stops where they are removed, lose their role or their key is revoked.",
  body: CreateReportBody,
  example: {
    body: { name, schedule, time_zone, period, chapters, format } as CreateReportBody,
    output: { ...exampleReport, last_at: null },
  },
  gate: exempt("makes no agent act"),
  location: ({ report_id }) => `/v1/analytics/reports/${report_id}`,
  narrowing: byBody(
    "the agent that it filters by, else the key's own: it tells only of these",
    ({ principal }, { body }: { readonly body: CreateReportBody }) =>
      body.agent === undefined ? principal.agents : [body.agent],
  ),
  validate: (ctx, { body }) => [
    ...readerFaults(ctx),
    ...scheduleFaults(body, "", ctx.now),
    ...labelFaults(body.label, settingsOf(ctx).analytics.labels),
  ],
  audit: ({ output }) => (output ? `report:${output.report_id}` : "reports"),
  errors: [tooManyReports],
  async handle(ctx, { body }) {
    await refuseUnknown(ctx, body.recipients ?? []);
    const { agents: own } = ctx.principal;
    const actor = actorOfCall(ctx);
    const row = await reports.rows.insert(ctx, {
      id: ctx.newId("rpt"),
      definition: JSON.stringify(body),
      agents: body.agent === undefined ? own && [...own] : [body.agent],
      next_at: nextTime(body, ctx.now),
      principal: actor.owner,
      actor: storable(actor),
      created_at: new Date(ctx.now),
    });
    return reports.view(row, ctx);
  },
});

async function refuseUnknown(ctx: WriteContext, recipients: readonly string[]): Promise<void> {
  const known = await knownMembers(ctx, recipients);
  const errors = recipients.flatMap((id, i): Fault[] =>
    known.has(id)
      ? []
      : [{ pointer: `/recipients/${i}`, code: "unknown_member", detail: `${id} is no member of the organization` }],
  );
  if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
}

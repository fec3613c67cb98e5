import { actorOfCall, storable } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { settingsOf } from "../../../admin/public.ts";
import { exampleAlert, exampleAlertBody } from "../../example.ts";
import { tooManyAlerts } from "../../limit.ts";
import { alertView } from "../history.ts";
import { alerts } from "../resource.ts";
import { conditionFaults, filterFaults, neverMetFaults, readerFaults, refuseUnknownMembers } from "../rules.ts";
import { Alert, CreateAlertBody } from "../schemas.ts";
import { standardLeast } from "../states.ts";

export const createAlert = defineOperation({
  ...alerts.changeOfAll(),
  ...alerts.answer,
  id: "analytics.createAlert",
  method: "POST",
  status: 201,
  summary: "Watch a measure",
  description:
    "Measures a sliding window about once a minute. It fires once when the value was beyond the threshold in every look for `for_minutes`, and clears once when it was back within `clear_at` for as long. " +
    "Too little data is a state of its own, in which nothing fires or clears. Webhook endpoints receive `analytics.alert.fired` and `analytics.alert.cleared`; members get e-mail.",
  body: CreateAlertBody,
  output: Alert,
  location: ({ alert_id }) => `/v1/analytics/alerts/${alert_id}`,
  example: {
    body: { ...exampleAlertBody, filters: { agent: ["sales"] }, notify: { members: [] } },
    output: { ...exampleAlert, state: "waiting", fired: false, value: null, n: 0, looked_at: null, history: [] },
  },
  narrowing: byBody(
    "the agents that it filters by, else the key's own: it watches only these",
    ({ principal }, { body }: { readonly body: CreateAlertBody }) => body.filters?.agent ?? principal.agents,
  ),
  validate: (ctx, { body }) => [
    ...readerFaults(ctx),
    ...conditionFaults(body.condition),
    ...neverMetFaults(body.measure, body.condition),
    ...filterFaults(body, settingsOf(ctx).analytics.labels),
  ],
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `alert:${output.alert_id}` : "alerts"),
  errors: [tooManyAlerts],
  async handle(ctx, { body }) {
    await refuseUnknownMembers(ctx, body);
    const now = new Date(ctx.now);
    const row = await alerts.rows.insert(ctx, {
      ...ownSettings(ctx, body),
      id: ctx.newId("alr"),
      created_by: ctx.principal.id,
      actor: storable(actorOfCall(ctx)),
      created_at: now,
      state_since: now,
      due_at: now,
    });
    return alertView(ctx, row);
  },
});

function ownSettings({ principal }: WriteContext, { filters = {}, notify, ...body }: CreateAlertBody) {
  const { name, measure, condition, window_minutes = 60, for_minutes = 0, least_n = standardLeast(measure) } = body;
  return {
    name,
    measure,
    filters,
    condition,
    window_minutes,
    for_minutes,
    least_n,
    members: notify?.members ?? [],
    agents: filters.agent ?? (principal.agents === null ? null : [...principal.agents]),
  };
}

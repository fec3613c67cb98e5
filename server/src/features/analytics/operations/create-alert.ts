import type { WriteContext } from "../../../kernel/context.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { settingsOf } from "../../admin/public.ts";
import { exampleAlert, exampleAlertBody } from "../alert-example.ts";
import { standardLeast } from "../alert-model.ts";
import { conditionFaults, filterFaults, neverMetFaults, readerFaults, refuseUnknownMembers } from "../alert-rules.ts";
import { type AlertRow, findAlert, insertAlert } from "../alert-store.ts";
import { alertView } from "../alert-view.ts";
import { tooManyAlerts } from "../errors.ts";
import { refuseBeyond } from "../room.ts";
import { Alert, CreateAlertBody } from "../schemas.ts";

export const createAlert = defineOperation({
  id: "analytics.createAlert",
  method: "POST",
  path: "/v1/analytics/alerts",
  status: 201,
  summary: "Watch a measure",
  description:
    "Measures a sliding window about once a minute. It fires once when the value was beyond the threshold in every look for `for_minutes`, and clears once when it was back within `clear_at` for as long. " +
    "Too little data is a state of its own, in which nothing fires or clears. Webhook endpoints are told by `analytics.alert.fired` and `analytics.alert.cleared`, members by e-mail.",
  body: CreateAlertBody,
  output: Alert,
  location: ({ alert_id }) => `/v1/analytics/alerts/${alert_id}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: {
    body: { ...exampleAlertBody, filters: { agent: ["sales"] }, notify: { members: [] } },
    output: { ...exampleAlert, state: "waiting", fired: false, value: null, n: 0, looked_at: null, history: [] },
  },
  permission: "analytics:write",
  load: exempt("names no object; makes one"),
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
  decides: exempt("alerts are for people"),
  compliance: governs("analytics.change"),
  audit: ({ output }) => (output ? `alert:${output.alert_id}` : "alerts"),
  errors: [tooManyAlerts],
  async handle(ctx, { body }) {
    await refuseUnknownMembers(ctx, body);
    await refuseBeyond(ctx, "alerts", tooManyAlerts);
    const id = ctx.newId("alr");
    await insertAlert(ctx, id, ownSettings(ctx, body));
    return alertView(ctx, (await findAlert(ctx, id)) as AlertRow);
  },
});

function ownSettings({ principal }: WriteContext, { filters = {}, notify, ...body }: CreateAlertBody) {
  const { name, measure, condition, window_minutes = 60, for_minutes = 0, least_n = standardLeast(measure) } = body;
  return {
    ...{ name, measure, filters, condition, window_minutes, for_minutes, least_n },
    members: notify?.members ?? [],
    agents: filters.agent ?? (principal.agents === null ? null : [...principal.agents]),
  };
}

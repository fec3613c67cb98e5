import { actorOfCall } from "../../../../kernel/actor.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { exampleAlert } from "../../example.ts";
import { ownedAlert, restarted } from "../../output-kinds.ts";
import { alertView } from "../history.ts";
import { alerts } from "../resource.ts";
import { conditionFaults, lockLoadedAlert, readerFaults, refuseNeverMet, refuseUnknownMembers } from "../rules.ts";
import { Alert, ChangeAlertBody } from "../schemas.ts";
import type { AlertRow } from "../view.ts";

export const changeAlert = defineOperation({
  ...alerts.changeOfOne(),
  ...alerts.answer,
  id: "analytics.changeAlert",
  method: "PATCH",
  summary: "Change or pause an alert",
  description:
    "Measure, filters and window stay: another alert watches something else. One that has fired stays so until it is seen back within what holds then. After a pause or a change, times begin again. Where anything but the pause changes, it goes on with the permissions of whoever changes it.",
  body: ChangeAlertBody,
  output: Alert,
  mayMatch: ({ revision }: AlertRow) => revision,
  example: {
    params: { alert: exampleAlert.alert_id },
    body: { paused: true },
    output: { ...exampleAlert, paused: true, state: "waiting", revision: 2 },
  },
  validate: (ctx, { body }) => [...(isChanged(body) ? readerFaults(ctx) : []), ...conditionFaults(body.condition)],
  gate: exempt("makes no agent act"),
  async handle(ctx, { loaded, body }) {
    refuseNeverMet(loaded.measure, body.condition);
    await refuseUnknownMembers(ctx, body);
    const alert = await lockLoadedAlert(ctx, loaded);
    const changed = await alerts.rows.update(ctx, alert, {
      ...changesOf(body),
      ...restarted(ctx.now, alert),
      ...(isChanged(body) && ownedAlert(alert, actorOfCall(ctx))),
      revision: alert.revision + 1,
    });
    return alertView(ctx, changed);
  },
});

const changesOf = ({ notify, ...rest }: ChangeAlertBody) => ({
  ...rest,
  ...(notify && { members: notify.members }),
});

/** Whether anything but the pause changes: whoever changes it is its owner from then on; those before decided what they left in it. */
const isChanged = ({ paused: _paused, ...members }: ChangeAlertBody): boolean => Object.keys(members).length > 0;

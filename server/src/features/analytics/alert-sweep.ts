import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import { createPauses } from "../../kernel/service-faults.ts";
import { whyStopped } from "../admin/public.ts";
import { lookAt } from "./alert-look.ts";
import { type DueAlert, enterLook, listDueAlerts } from "./alert-store.ts";
import { tellAlert } from "./operations/tell-alert.ts";

/** Alerts that one look of the sweep takes up; the rest is due a second later. */
const mostDue = 50;
const pauses = createPauses();

/** Looks at alerts that are due. What a look changes is entered as it is; what is told is a call of its own. One that met an error of the service stays due. */
export const alertSweep: Sweep = {
  name: "analytics.alerts",
  async run(parts) {
    const due = await listDueAlerts(parts.db, parts.now, mostDue);
    const faults: unknown[] = [];
    for (const alert of due.filter(({ id }) => !pauses.waits(id, parts.now))) {
      const fault = await pauses.around(alert.id, parts.now, () => lookAndTell(parts, alert));
      if (fault !== undefined) faults.push(fault);
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} alerts could not be looked at`);
  },
};

async function lookAndTell({ db, inside, facts, now }: SweepParts, { sure, ...alert }: DueAlert): Promise<void> {
  const { organization, environment } = alert;
  const scope = { organization, environment };
  const isStopped = !sure && (await whyStopped({ scope, db, now }, alert, "analytics:read")) !== null;
  const looked = isStopped ? null : await lookAt({ scope, db, facts, now }, alert);
  if (looked?.event === null) await enterLook({ scope, db }, alert, looked);
  else await inside(tellAlert, scope, { alert, looked });
}

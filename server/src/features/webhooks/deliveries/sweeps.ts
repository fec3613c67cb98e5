import type { JobSpec } from "../../../kernel/append.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { retentionSweep } from "../../admin/public.ts";
import { deleteOldDeliveries } from "./store.ts";

/** Wakes a delivery worker: something is due that no event announced. */
export const dueJob: JobSpec = { task: "webhooks.due", payload: {}, key: "webhooks.due" };

/** One sweep cancels at most so many deliveries; the next goes on. */
const most = 1_000;

/** Cancels pending deliveries to endpoints that were removed. */
export const tidyDeliveries: Sweep = {
  name: "webhooks.tidy",
  async run({ db, now }) {
    await db.query(
      `with lost as (
         select d.organization, d.environment, d.webhook_id, d.id from webhooks w
           cross join lateral (select * from deliveries d where d.organization = w.organization and d.environment = w.environment and d.webhook_id = w.id
             and d.state = 'pending' order by d.next_at limit $1) d
         where w.removed_at > $2::timestamptz - interval '7 days' limit $1)
       update deliveries d set state = 'cancelled', finished_at = $2, claimed_by = null from lost l
       where d.organization = l.organization and d.environment = l.environment and d.webhook_id = l.webhook_id and d.id = l.id and d.state = 'pending'`,
      [most, new Date(now)],
    );
  },
};

/** Deletes deliveries that are older than the environment keeps them. */
export const deliveryRetention = retentionSweep({
  name: "webhooks.delivery_retention",
  days: ({ deliveries_days }) => deliveries_days,
  remove: deleteOldDeliveries,
});

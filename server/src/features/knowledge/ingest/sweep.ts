import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { whyGivenUp } from "../../../kernel/service-faults.ts";
import { failIngest } from "../operations/fail-ingest.ts";
import { ingestJob, mostAttempts } from "./model.ts";
import { requeueLapsed } from "./store.ts";

/** Documents that one look takes up. */
const most = 100;

/** Wakes workers for documents that nobody works on, and gives up those that were tried often enough. */
export const ingestSweep: Sweep = {
  name: "knowledge.ingest",
  async run({ db, inside }) {
    const lapsed = await requeueLapsed(db, most);
    await wake(
      db,
      lapsed.filter(({ gives_up }) => !gives_up).map(({ id, ...scope }) => ingestJob(scope, id)),
    );
    for (const { id, attempt, gives_up, lost, faults, fault: last, ...scope } of lapsed) {
      const detail = gives_up ? whyGivenUp({ lost, faults, fault: last }, mostAttempts) : undefined;
      if (detail === undefined) continue;
      const fault = { code: "gave_up", detail };
      await inside(failIngest, scope, { document: id, attempt, fault }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error; // somebody else was faster
      });
    }
  },
};

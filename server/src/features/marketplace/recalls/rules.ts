import type { JobSpec } from "../../../kernel/append.ts";
import { isoTime } from "../../../kernel/clock.ts";
import type { JobParts, RunInside, Sweep } from "../../../kernel/machines.ts";
import { environments } from "../../../kernel/principal.ts";
import type { Recall } from "../schemas.ts";
import { stopInstalls } from "./operations/stop-installs.ts";
import { type ListedRecall, listOpenRecalls, type SeenStop } from "./store.ts";

/** The row of the recall says what is to be done. */
export const stopInstallsJobName = "marketplace_stop_installs";

/** Wakes a worker for a recall. */
export const stopInstallsJob = (organization: string, recall: string): JobSpec => ({
  task: stopInstallsJobName,
  payload: { organization, recall },
  key: recall,
});

export const recallView = (row: ListedRecall): Recall => ({
  recall_id: row.id,
  kind: row.kind,
  listing_id: row.listing_id,
  name: row.name,
  title: row.title,
  versions: [...row.digests],
  reason: row.reason,
  by: row.by,
  at: isoTime(row.at),
  lifted_at: isoTime(row.lifted_at),
  done: row.done_at !== null,
  installs: row.installs,
  stopped: row.stops.map((stop) => stopView(row.at, stop)),
});

function stopView(decided: Date, stop: SeenStop): Recall["stopped"][number] {
  const { environment, install_id, kind, target, kill_switch_id, at, tasks_ended, last_ended_at, runs } = stop;
  const quiet = Math.max(at.getTime(), last_ended_at?.getTime() ?? 0);
  return {
    environment,
    install_id,
    kind,
    target,
    kill_switch_id,
    at: isoTime(at),
    tasks_ended,
    seconds: runs ? null : Math.max(0, quiet - decided.getTime()) / 1000,
  };
}

const most = 20;

/** Production first. */
const stopEverywhere = async (inside: RunInside, organization: string, recall: string): Promise<void> => {
  for (const environment of environments.toReversed())
    await inside(stopInstalls, { organization, environment }, { recall });
};

/** Handles a quarantine or recall. */
export const createStopInstallsJob =
  ({ inside }: Pick<JobParts, "inside">) =>
  async (payload: unknown): Promise<void> => {
    const { organization, recall } = payload as { organization: string; recall: string };
    await stopEverywhere(inside, organization, recall);
  };

/** Stops what the job missed, and what was installed or deployed since. */
export const recallSweep: Sweep = {
  name: "marketplace.recalls",
  async run({ db, inside }) {
    for (const { organization, id } of await listOpenRecalls(db, most)) await stopEverywhere(inside, organization, id);
  },
};

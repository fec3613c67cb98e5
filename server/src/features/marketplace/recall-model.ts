import type { JobSpec } from "../../kernel/append.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { ListedRecall, SeenStop } from "./recall-store.ts";
import type { Recall } from "./schemas.ts";

/** The job that stops what a recall is of. What is to be done stands in the recall's row. */
export const stopInstallsJobName = "marketplace_stop_installs";

/** Wakes a worker for a recall. */
export const stopInstallsJob = (organization: string, recall: string): JobSpec => ({
  ...{ task: stopInstallsJobName, payload: { organization, recall }, key: recall },
});

/** A recall as callers read it. */
export const recallView = (row: ListedRecall): Recall => ({
  ...{ recall_id: row.id, kind: row.kind, listing_id: row.listing_id, name: row.name, title: row.title },
  ...{ versions: [...row.digests], reason: row.reason, by: row.by, at: isoTime(row.at) },
  ...{ lifted_at: isoTime(row.lifted_at), done: row.done_at !== null, installs: row.installs },
  stopped: row.stops.map((stop) => stopView(row.at, stop)),
});

function stopView(decided: Date, stop: SeenStop): Recall["stopped"][number] {
  const { environment, install_id, kind, target, kill_switch_id, at, tasks_ended, last_ended_at, runs } = stop;
  const quiet = Math.max(at.getTime(), last_ended_at?.getTime() ?? 0);
  return {
    ...{ environment, install_id, kind, target, kill_switch_id, at: isoTime(at), tasks_ended },
    seconds: runs ? null : Math.max(0, quiet - decided.getTime()) / 1000,
  };
}

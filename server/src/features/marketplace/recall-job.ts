import type { JobParts, RunInside, Sweep } from "../../kernel/machines.ts";
import { environments } from "../../kernel/principal.ts";
import { stopInstalls } from "./operations/stop-installs.ts";
import { listOpenRecalls } from "./recall-targets.ts";

/** Recalls that one look takes up. */
const most = 20;

/** Production first. */
const stopEverywhere = async (inside: RunInside, organization: string, recall: string): Promise<void> => {
  for (const environment of environments.toReversed())
    await inside(stopInstalls, { organization, environment }, { recall });
};

/** The job that a quarantine or recall wakes. */
export const createStopInstallsJob =
  ({ inside }: Pick<JobParts, "inside">) =>
  async (payload: unknown): Promise<void> => {
    const { organization, recall } = payload as { organization: string; recall: string };
    await stopEverywhere(inside, organization, recall);
  };

/** Stops what the job did not, and what was installed or deployed since. */
export const recallSweep: Sweep = {
  name: "marketplace.recalls",
  async run({ db, inside }) {
    for (const { organization, id } of await listOpenRecalls(db, most)) await stopEverywhere(inside, organization, id);
  },
};

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "../../server/bench/service.ts";

/** A service to work with. */
export interface Target {
  readonly url: string;
  /** An admin's key of the environment to work in. */
  readonly key: string;
  /** Whether it was started for this journey, and is gone afterwards. */
  readonly own: boolean;
  readonly what: string;
}

/**
 * The service that AOS_URL and AOS_KEY name, or else one of its own: started as `npm start` does, on an empty data folder, without the sample, and without a limit
 * on the rate of calls. `onEnd` is given what ends it and removes its data. Throws an Error where only one of the two is set.
 */
export async function findTarget(
  env: NodeJS.ProcessEnv,
  onEnd: (clean: () => Promise<unknown>) => void,
): Promise<Target> {
  const { AOS_URL, AOS_KEY } = env;
  if (AOS_URL && AOS_KEY)
    return { url: AOS_URL.replace(/\/+$/, ""), key: AOS_KEY, own: false, what: `the service at ${AOS_URL}` };
  if (AOS_URL || AOS_KEY)
    throw new Error(
      "AOS_URL and AOS_KEY go together: set both for a service that runs, or neither for one of the journey's own",
    );
  env.AOS_SAMPLE ??= "off";
  const dataDir = await mkdtemp(path.join(tmpdir(), "aos-journey-"));
  const { url, key } = await startService(dataDir, onEnd);
  return { url, key, own: true, what: "a service of its own: one process for API and work, with its own PostgreSQL" };
}

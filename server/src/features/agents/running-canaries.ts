import { all, select } from "../../db/scoped.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";

const most = 100;

/** A canary that gets new tasks. */
export interface RunningCanary {
  readonly deployment: string;
  readonly agent: string;
  readonly version: number;
  /** Percent of new tasks. */
  readonly share: number | null;
  readonly since: string;
}

/** Canaries of the environment, newest first, at most 100. `agents`: only theirs; null: all. */
export async function listRunningCanaries(
  ctx: ReadContext,
  agents: readonly string[] | null,
): Promise<RunningCanary[]> {
  const canaries = select(ctx, "deployments", "d")
    .select(["d.id", "d.agent", "d.version_number", "d.share", "d.created_at"])
    .where("d.state", "=", "canary")
    .$if(agents !== null, (query) => query.where("d.agent", "in", agents ?? []))
    .orderBy("d.id", "desc")
    .limit(most);
  const rows = await all(ctx, canaries);
  return rows.map(({ id, agent, version_number, share, created_at }) => ({
    ...{ deployment: id, agent, version: version_number, share, since: isoTime(created_at) },
  }));
}

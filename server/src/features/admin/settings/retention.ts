import { organizationRows } from "../../../db/organization-rows.ts";
import type { Statements, Sweep } from "../../../kernel/machines.ts";
import { environments, type Scope } from "../../../kernel/principal.ts";
import type { Settings } from "./schemas.ts";
import { settingsFacts } from "./store.ts";

const dayMs = 86_400_000;
/** What is kept for days need not be looked for every second (milliseconds). */
const everyMs = 60_000;

export interface Retained {
  readonly name: string;
  readonly days: (retention: Settings["retention"]) => number;
  /** Deletes some rows of a scope from before a time, the oldest first. */
  readonly remove: (db: Statements, scope: Scope, before: Date) => Promise<void>;
}

/** A sweep that once a minute deletes, in each environment, what is older than the environment's settings say. */
export function retentionSweep({ name, days, remove }: Retained): Sweep {
  let next = 0;
  return {
    name,
    async run({ db, facts, now }) {
      if (now < next) return;
      next = now + everyMs;
      const organizations = await db.query<{ organization: string }>(
        `select organization from ${organizationRows} organizations`,
      );
      const scopes = organizations.flatMap(({ organization }) =>
        environments.map((environment) => ({ organization, environment })),
      );
      const faults: unknown[] = [];
      for (const scope of scopes) {
        const before = new Date(now - days(facts.get(settingsFacts).of(scope).retention) * dayMs);
        // One environment is at fault: the others are not to wait for it.
        await remove(db, scope, before).catch((error: unknown) => faults.push(error));
      }
      if (faults.length > 0)
        throw new AggregateError(faults, `${name}: ${faults.length} environments could not be looked after`);
    },
  };
}

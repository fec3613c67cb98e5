import { afterAll, beforeAll } from "vitest";
import { startTestApp, type TestApp, touch } from "./app.ts";
import { keepRecordedErrors } from "./database.ts";
import { shareApp, sharedApp } from "./slices.ts";

/**
 * A service that the test files of one slice share where a process runs them one after the other, because starting one costs more than most files. For files
 * that find their own records whatever else there is, change nothing of the sample, and start no worker. What a file puts in force ends with it.
 */
export function useSharedApp(): TestApp {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern there, and gives the file as the second argument.
  beforeAll(async ({}, { file }) => {
    if (!sharedApp()) shareApp(file.filepath, await startTestApp());
  });
  afterAll(async () => {
    const app = sharedApp();
    if (!app) return;
    await keepRecordedErrors(app.pool);
    await endWhatIsInForce(app);
  });
  return new Proxy({} as TestApp, {
    get(_target, name) {
      const app = sharedApp();
      if (!app) throw new Error("The app exists only inside tests and hooks of this file.");
      return app[name as keyof TestApp];
    },
  });
}

/** Policies, approval rules, kill switches, budgets, settings, verdicts and pauses decide about the calls of other files too. Nothing of them is in force in a new service. */
async function endWhatIsInForce({ app, pool }: TestApp): Promise<void> {
  const { rows } = await pool.query<{ topic: string }>(`
    with policy as (update policies set state = 'retired', retired_at = now(), retired_by = 'test' where state in ('active', 'shadow') returning 1),
      rule as (update approval_rules set retired_at = now(), retired_by = 'test' where retired_at is null returning 1),
      stop as (update kill_switches set released_at = now(), released_by = 'test' where released_at is null returning 1),
      budget as (delete from budgets returning 1), setting as (delete from settings returning 1),
      verdict as (delete from gate_verdicts returning 1), pause as (delete from agent_pauses returning 1)
    select topic from (values ('policies', (select count(*) from policy) + (select count(*) from rule)), ('kill_switches', (select count(*) from stop)), ('budgets', (select count(*) from budget)),
      ('settings', (select count(*) from setting)), ('gates', (select count(*) from verdict)), ('agents', (select count(*) from pause))) t (topic, ended)
    where ended > 0`);
  for (const { topic } of rows) await touch(app, pool, topic);
}

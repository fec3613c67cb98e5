import type { Sequencer } from "./audit-log/index.ts";
import type { OpenDatabase } from "./db/open.ts";
import { createTaskFeed, type TaskEventsPort } from "./features/tasks/index.ts";

/** The feed of what happens to tasks, over what is stored; the sequencer hears of every commit, in whichever process it was. */
export function createTaskEvents(parts: {
  readonly database: OpenDatabase;
  readonly sequencer: Sequencer;
  readonly report: (error: unknown) => void;
}): TaskEventsPort {
  const { database, sequencer, report } = parts;
  const db = {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await database.machinePool.query(text, values as unknown[])).rows as R[],
  };
  return createTaskFeed({ db, onChange: (callback) => sequencer.onSequenced(callback), report });
}

import { afterAll, beforeAll } from "vitest";
import { startTestApp, type TestApp } from "./app.ts";
import { keepRecordedErrors } from "./database.ts";
import { shareApp, sharedApp } from "./slices.ts";

/**
 * A service that the test files of one slice share where a process runs them one after the other, because starting one costs more than most files. For files
 * that find their own records whatever else there is, leave no setting, policy or kill switch behind, and start no worker.
 */
export function useSharedApp(): TestApp {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern there, and gives the file as the second argument.
  beforeAll(async ({}, { file }) => {
    if (!sharedApp()) shareApp(file.filepath, await startTestApp());
  });
  afterAll(async () => {
    const app = sharedApp();
    if (app) await keepRecordedErrors(app.pool);
  });
  return new Proxy({} as TestApp, {
    get(_target, name) {
      const app = sharedApp();
      if (!app) throw new Error("The app exists only inside tests and hooks of this file.");
      return app[name as keyof TestApp];
    },
  });
}

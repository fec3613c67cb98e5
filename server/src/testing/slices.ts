import type { TestApp } from "./app.ts";

/** The folder of the slice that a test file is of, or of the package where it is of none. */
export const sliceOf = (file: string): string => /^.*\/(features\/[^/]+|cli|sdk|server)(?=\/)/.exec(file)?.[0] ?? file;

let shared: { readonly slice: string; readonly app: TestApp } | undefined;

/** The service that files of a slice share in this process. */
export const sharedApp = (): TestApp | undefined => shared?.app;

/** Lets the files of the slice of this one share a service. */
export function shareApp(file: string, app: TestApp): void {
  shared = { slice: sliceOf(file), app };
}

/** Closes the service that files of another slice shared. The last one of a process ends with it, and its database with the server. */
export async function leaveOtherSlices(file: string): Promise<void> {
  if (!shared || shared.slice === sliceOf(file)) return;
  const { app } = shared;
  shared = undefined;
  await app.close();
}

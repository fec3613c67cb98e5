import { read, untold } from "./queries.ts";

// What versions in shadow would have done.

export const readShadow = (deployment: string) =>
  untold(read("/v1/evaluations/shadows/{deployment}", { path: { deployment } }));
/** The newest tasks that both versions carried out; with `same`, only those in which they did the same or did not. */
export const listShadowRuns = (deployment: string, same?: boolean) =>
  untold(
    read("/v1/evaluations/shadows/{deployment}/runs", {
      path: { deployment },
      query: { limit: 20, ...(same === undefined ? {} : { same }) },
    }),
  );

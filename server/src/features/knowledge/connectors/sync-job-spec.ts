import type { JobSpec } from "../../../kernel/append.ts";
import type { Scope } from "../../../kernel/principal.ts";

// Wake-ups. What is to be done stands in the rows that they name.

/** The job that looks at a source. */
export const syncJobName = "knowledge_sync";

export function syncJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: syncJobName, payload: { organization, environment, sync: id }, key: id };
}

/** The job that deletes the documents of a connector that was detached. */
export const removalJobName = "knowledge_connector_removal";

export function removalJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: removalJobName, payload: { organization, environment, connector: id }, key: id };
}

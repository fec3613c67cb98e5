import type { JobSpec } from "../../kernel/append.ts";

/** Wakes a process that delivers: something is due that no event announced. */
export const dueJob: JobSpec = { task: "webhooks.due", payload: {}, key: "webhooks.due" };

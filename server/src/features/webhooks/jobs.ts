import type { JobSpec } from "../../kernel/append.ts";
import type { JobHandlers } from "../../kernel/machines.ts";
import type { WebhookPort } from "./ports.ts";

/** Wakes a process that delivers: something is due that no event announced. */
export const dueJob: JobSpec = { task: "webhooks.due", payload: {}, key: "webhooks.due" };

export const createJobs = ({ due }: WebhookPort): JobHandlers => ({ [dueJob.task]: async () => due() });

import type { Operation } from "../../../kernel/operation.ts";
import { giveFeedback } from "../operations/give-feedback.ts";
import { listFeedback } from "../operations/list-feedback.ts";

// What people say of the outcome of tasks.

export const operations: readonly Operation[] = [giveFeedback, listFeedback];

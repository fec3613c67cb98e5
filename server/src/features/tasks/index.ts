export { sealEarlierTasks } from "./backfill-seals.ts";
export { createTaskFeed } from "./event-feed.ts";
export type { TaskEvent, TaskEventsPort } from "./ports.ts";

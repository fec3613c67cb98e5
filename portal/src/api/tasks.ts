import { wholeOf } from "../lib/pages.ts";
import { type Answer, type ChangeInput, type GetQuery, get, send } from "./client.ts";
import { hear } from "./hear.ts";
import { type Read, read, untold } from "./queries.ts";

export type TaskFilter = GetQuery<"/v1/tasks">;

export const listTasks = (filter: TaskFilter) => read("/v1/tasks", { query: filter });
export const readTask = (task: string) => read("/v1/tasks/{task}", { path: { task } });
/** Tasks whose agents asked something, the newest first. */
export const listAsking = () => listTasks({ status: ["input_required"], limit: 20 });
/** All steps of a task, oldest first, over all its attempts. No event tells of a step. */
export const listTaskSteps = (task: string): Read<Answer<"/v1/tasks/{task}/steps">> => ({
  queryKey: ["/v1/tasks/{task}/steps", { path: { task } }],
  queryFn: ({ signal }) =>
    wholeOf((from) => get("/v1/tasks/{task}/steps", { path: { task }, query: { limit: 100, ...from } }, signal)),
  untold: true,
});
/** All that happened to a task, oldest first. */
export const listTaskEvents = (task: string): Read<Answer<"/v1/tasks/{task}/events">> => ({
  queryKey: ["/v1/tasks/{task}/events", { path: { task } }],
  queryFn: ({ signal }) =>
    wholeOf((from) => get("/v1/tasks/{task}/events", { path: { task }, query: { limit: 100, ...from } }, signal)),
});
/** Its work as spans: made of its steps, so no event says that it changed. */
export const readTaskTrace = (task: string) => untold(read("/v1/tasks/{task}/trace", { path: { task } }));
export const readTaskCost = (task: string) => untold(read("/v1/tasks/{task}/cost", { path: { task } }));
/** What came of it: runs of workflows and their tasks. */
export const readTaskChildren = (task: string) => untold(read("/v1/tasks/{task}/children", { path: { task } }));
export const readTaskTrust = (task: string) => read("/v1/tasks/{task}/trust", { path: { task } });
export const readBatch = (batch: string) => read("/v1/tasks/batches/{batch}/state", { path: { batch } });
export const listFeedback = (task: string) => read("/v1/tasks/{task}/feedback", { path: { task } });

export const listComments = (task: string) =>
  read("/v1/tasks/{task}/comments", { path: { task }, query: { limit: 100 } });

export const addComment = ({ task, ...body }: { task: string; text: string; for_agent: boolean }) =>
  send("post", "/v1/tasks/{task}/comments", { path: { task }, body });
export const cancelTask = ({ task, reason }: { task: string; reason: string }) =>
  send("post", "/v1/tasks/{task}/cancel", { path: { task }, body: reason === "" ? {} : { reason } });
/** Without `count` it only counts. */
export const cancelTasks = (body: ChangeInput<"post", "/v1/tasks/cancel">["body"]) =>
  send("post", "/v1/tasks/cancel", { body });
/** What a dispatch would come to, cost and take. */
export const estimateTask = (body: ChangeInput<"post", "/v1/tasks/estimate">["body"]) =>
  send("post", "/v1/tasks/estimate", { body });
export const pauseTask = ({ task, reason }: { task: string; reason: string }) =>
  send("post", "/v1/tasks/{task}/pause", { path: { task }, body: reason === "" ? {} : { reason } });
export const resumeTask = ({ task }: { task: string }) => send("post", "/v1/tasks/{task}/resume", { path: { task } });
export const retryTask = ({
  task,
  ...body
}: { task: string } & ChangeInput<"post", "/v1/tasks/{task}/retry">["body"]) =>
  send("post", "/v1/tasks/{task}/retry", { path: { task }, body });
/** Tells the agent what it asked for, by the step in which it asked: an answer is to no other question. */
export const answerTask = ({ task, ...body }: { task: string; step_id: string; answer: string }) =>
  send("post", "/v1/tasks/{task}/input", { path: { task }, body });
/** Says what became of a task's outcome. */
export const judgeTask = ({
  task,
  ...body
}: { task: string } & ChangeInput<"post", "/v1/tasks/{task}/feedback">["body"]) =>
  send("post", "/v1/tasks/{task}/feedback", { path: { task }, body });

const taskEvents = [
  "created",
  "approval_required",
  "approved",
  "rejected",
  "started",
  "completed",
  "failed",
  "cancelled",
  "expired",
  "blocked",
  "input_required",
  "commented",
  "paused",
  "resumed",
].map((name) => `task.${name}`);

/** Hears each event of a task as it happens, until it is left or the task has ended. */
export const hearTask = (task: string, heard: () => void, broken: (lost: boolean) => void): (() => void) =>
  hear(`/v1/tasks/${encodeURIComponent(task)}/events`, taskEvents, heard, broken);

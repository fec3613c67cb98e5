import { defineSlice } from "../../kernel/slice.ts";
import type { TaskEventsPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    bat: "batches";
    stp: "steps";
    tsk: "tasks";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly taskEvents: TaskEventsPort;
  }
}

export const slice = defineSlice({
  about: "Tasks with their steps, events and results.",
  schemas,
  actions: {
    "task.batch": {},
    "task.cancel": {},
    "task.change": { carriesInput: true },
    "task.dispatch": { waits: true },
    "task.feedback": {},
    "task.input": { carriesInput: true },
    "task.read": {},
    "task.retry": { carriesInput: true },
  },
});

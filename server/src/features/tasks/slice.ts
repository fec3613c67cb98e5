import { defineSlice } from "../../kernel/slice.ts";
import { heldSweep } from "./runs/jobs/held-sweep.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    bat: "batches";
    cmt: "comments on tasks";
    stp: "steps";
    tsk: "tasks";
  }
}

export const slice = defineSlice({
  about: "Tasks with their steps, events and results.",
  schemas,
  actions: {
    "model.call": {},
    "task.batch": {},
    "task.cancel": {},
    "task.change": { carriesInput: true },
    "task.comment": { carriesInput: true },
    "task.dispatch": { waits: true },
    "task.feedback": {},
    "task.input": { carriesInput: true },
    "task.pause": {},
    "task.read": {},
    "task.resume": {},
    "task.retry": { carriesInput: true },
    "task.run": { waits: true },
    "tool.call": { waits: true },
  },
  sweeps: [heldSweep],
});

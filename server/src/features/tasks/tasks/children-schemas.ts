import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";

const Node = Type.Object({
  kind: Type.Enum(["run", "task"], { description: "A run of a workflow, or a task." }),
  id: Type.String({ description: "`wfr_…` or `tsk_…`" }),
  parent_id: Type.String({ description: "The task or run from which it came." }),
  depth: Type.Integer({ description: "1: it came from the task itself." }),
  came_by: Type.Enum(["event", "sub_workflow", "step"], {
    description:
      "`event`: a trigger started the run because of an event of the task. `sub_workflow`: a step of a run started it. `step`: the task carries out a step of the run.",
  }),
  status: Type.String({ description: "The state of the task or run." }),
  agent: nullable(Type.String(), "Of a task."),
  task: nullable(Type.String(), "The skill; null: it is a run."),
  title: nullable(Type.String(), "What the task is about."),
  workflow: Type.String({ description: "The workflow of the run, or of the run that the task is part of." }),
  step: nullable(Type.String(), "The step that the task carries out."),
  trust_score: nullable(Type.Number(), "Of a task."),
  cost_usd: nullable(
    Type.Number(),
    "Of a run with all its steps. Null: not shown, since the key is narrowed to agents.",
  ),
  tokens: nullable(Type.Integer(), "As `cost_usd`."),
  created_at: Time,
  finished_at: nullable(Time),
});

export const TaskChildren = Type.Object({
  task_id: Type.String({ description: "The task's id, `tsk_…`." }),
  caused_by: nullable(
    Type.Object({
      task_id: Type.String({ description: "`tsk_…`" }),
      run_id: Type.String({ description: "The run that an event of that task started, `wfr_…`." }),
    }),
    "The task from which this one came itself; null: none.",
  ),
  nodes: Type.Array(Node, {
    description: "Each node after its parent, siblings by age. A key that is narrowed to agents sees their tasks only.",
  }),
  totals: Type.Object(
    {
      tasks: Type.Integer(),
      runs: Type.Integer(),
      open: Type.Integer({ description: "Tasks and runs that have not ended." }),
      cost_usd: Type.Number({ description: "Of the tasks; runs are their sum." }),
    },
    { description: "Of the nodes shown." },
  ),
  cut: nullable(
    Type.Enum(["size", "depth"]),
    "Why there may be more: `size`: the tree has more than 500 nodes; `depth`: it is deeper than 12 levels. Read the children of one of its tasks for the rest. Null: the tree is whole.",
  ),
});
export type TaskChildren = Static<typeof TaskChildren>;
export type ChildNode = Static<typeof Node>;

import { type Static, Type } from "typebox";
import { nullable } from "../../../kernel/schema-words.ts";

const Usd = Type.Number({ description: "US dollars, exact to the millionth." });
const Tokens = Type.Integer({ minimum: 0 });

const StepCost = Type.Object({
  step_id: Type.String({ description: "`stp_…`." }),
  attempt: Type.Integer({ description: "The attempt at the task in which it was made, from 1." }),
  number: Type.Integer({ description: "Its place in the run, from 1." }),
  kind: Type.Enum(["model", "tool"]),
  name: Type.String({ description: "The model or the tool." }),
  cost_usd: Usd,
  tokens: Tokens,
});

const NamedCost = Type.Object({
  name: Type.String({ description: "The model or the tool." }),
  calls: Type.Integer({ minimum: 0, description: "Steps that called it, of all attempts." }),
  cost_usd: Usd,
  tokens: Tokens,
});

export const TaskCost = Type.Object({
  task_id: Type.String({ description: "The task's id, `tsk_…`." }),
  cost_usd: Type.Number({
    description: "The sum of what the ledger has for the task: what its budgets were charged, to the millionth.",
  }),
  tokens: Type.Integer({ minimum: 0, description: "Of the models that it asked." }),
  by_step: Type.Array(StepCost, { description: "The dearest steps first, at most 200." }),
  further_steps: nullable(
    Type.Object({ steps: Type.Integer(), cost_usd: Usd, tokens: Tokens }),
    "The steps beyond these together; null: there are none.",
  ),
  outside_steps_usd: Type.Number({
    description:
      "What was charged to the task itself or to a call that became no step, such as a model's turn that was cut off.",
  }),
  by_model: Type.Array(NamedCost),
  by_tool: Type.Array(NamedCost),
});
export type TaskCost = Static<typeof TaskCost>;

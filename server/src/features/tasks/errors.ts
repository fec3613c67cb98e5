import { defineProblem } from "../../kernel/errors.ts";

export { agentNotDeployed } from "../agents/public.ts";

export const inputIsBound = defineProblem({
  code: "input_is_bound",
  status: 409,
  title: "The input cannot be changed",
  cause: "The input is under approval: people decide about exactly the input that the task was dispatched with.",
  remedy: "Change the input only when a reviewer requested changes; otherwise cancel the task and dispatch it again.",
  retryable: false,
});

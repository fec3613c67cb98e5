import { defineProblem } from "../../kernel/errors.ts";

export const inputIsBound = defineProblem({
  code: "input_is_bound",
  status: 409,
  title: "The input of this task is bound",
  cause:
    "People decide about exactly the input that the task was dispatched with, so that it cannot be exchanged behind their backs.",
  remedy: "Change the input only where people asked for changes; else cancel the task and dispatch the work again.",
  retryable: false,
});

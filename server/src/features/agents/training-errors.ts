import { defineProblem } from "../../kernel/errors.ts";

export const tooFewExamples = defineProblem({
  code: "too_few_examples",
  status: 409,
  title: "Too few examples",
  cause: "Training holds out part of the examples to measure the result and needs at least ten examples in all.",
  remedy:
    "Add examples, name a dataset, or collect corrections through feedback on tasks; for a provider's model these count only with `feedback: true`.",
  retryable: false,
});

export const trainingInProgress = defineProblem({
  code: "training_in_progress",
  status: 409,
  title: "The skill is already being trained",
  cause: "Another training job for the same skill is in progress in the environment of the key.",
  remedy: "Wait until it ends, or cancel it.",
  retryable: true,
});

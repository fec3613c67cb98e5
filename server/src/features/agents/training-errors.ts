import { defineProblem } from "../../kernel/errors.ts";

export const tooFewExamples = defineProblem({
  code: "too_few_examples",
  status: 409,
  title: "There is too little to learn from",
  cause:
    "A part of the examples is held out to measure by. With fewer than ten in all there is nothing to learn from, and nothing to measure.",
  remedy:
    "Give more examples, name a dataset, or collect corrections by feedback on tasks; for a provider's model these count only with `feedback: true`.",
  retryable: false,
});

export const trainingOpen = defineProblem({
  code: "training_open",
  status: 409,
  title: "The skill is being trained already",
  cause: "Another training job of the same skill has not ended in the environment of the key.",
  remedy: "Wait until it ends, or cancel it.",
  retryable: true,
});

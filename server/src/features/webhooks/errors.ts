import { defineProblem } from "../../kernel/errors.ts";

export const tooManyWebhooks = defineProblem({
  code: "too_many_webhooks",
  status: 409,
  title: "Too many webhook endpoints",
  cause: "The number of endpoints in an environment is limited, because every event is matched against each of them.",
  remedy: "Remove endpoints that you no longer need, or let one endpoint receive several kinds of events.",
  retryable: false,
});

import { defineProblem } from "../../kernel/errors.ts";

export const tooManyWebhooks = defineProblem({
  code: "too_many_webhooks",
  status: 409,
  title: "The environment has as many endpoints as it may have",
  cause: "Every event is held against every endpoint, so that their number in an environment is limited.",
  remedy: "Remove endpoints that are no longer needed, or let one of them receive what several do.",
  retryable: false,
});

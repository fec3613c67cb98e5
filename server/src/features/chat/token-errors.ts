import { defineProblem } from "../../kernel/errors.ts";

export const tokenNeedsKey = defineProblem({
  code: "token_needs_key",
  status: 409,
  title: "Chat tokens are issued by keys",
  cause:
    "The call was made by a session of the portal that no key opened. A chat token ends with the key that issued it.",
  remedy: "Call from your server with a key that has `chat:manage`.",
  retryable: false,
});

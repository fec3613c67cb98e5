import { defineProblem } from "../../kernel/errors.ts";

export const conversationIsClosed = defineProblem({
  code: "conversation_closed",
  status: 409,
  title: "The conversation is closed",
  cause: "The conversation was closed and accepts no further messages.",
  remedy: "Start another conversation, or fork this one.",
  retryable: false,
});

export const conversationBusy = defineProblem({
  code: "conversation_busy",
  status: 409,
  title: "The agent is answering",
  cause: "An earlier message is being answered, and the call asked not to wait in line (`when_busy: reject`).",
  remedy: "Try again after `Retry-After`, or send `when_busy` as `queue` or `interrupt`.",
  retryable: true,
});

export const notAnsweredAgain = defineProblem({
  code: "not_the_latest_reply",
  status: 409,
  title: "The message cannot be answered again",
  cause: "Only the agent's latest reply can be regenerated, by the agent that answers in the conversation now.",
  remedy: "Read the conversation; to go on from an earlier message, fork the conversation there.",
  retryable: false,
});

export const turnNotPermitted = defineProblem({
  code: "turn_not_permitted",
  status: 403,
  title: "Whoever sent the message may not do so any more",
  cause: "A message waited in line, and its sender lost the permission to send messages meanwhile.",
  remedy: "Send it again with a key that has the permission `chat:write`.",
  retryable: false,
});

export const notTheCaller = defineProblem({
  code: "not_the_caller",
  status: 403,
  title: "The calls were handed to another caller",
  cause: "Results of functions were brought by another member or key than the one that sent the message.",
  remedy: "Bring the results with the key that sent the message, or send the message again with yours.",
  retryable: false,
});

export const externalKeyInUse = defineProblem({
  code: "external_key_in_use",
  status: 409,
  title: "The external key belongs to another conversation",
  cause: "A conversation of this channel has the same `external_key`, with another agent or another user.",
  remedy: "Choose another `external_key`, or leave it out.",
  retryable: false,
});

export const tokenNeedsKey = defineProblem({
  code: "token_needs_key",
  status: 409,
  title: "Chat tokens are issued by keys",
  cause:
    "The call was made by a session of the portal that no key opened. A chat token ends with the key that issued it.",
  remedy: "Call from your server with a key that has `chat:manage`.",
  retryable: false,
});

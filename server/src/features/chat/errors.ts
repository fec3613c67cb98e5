import { defineProblem } from "../../kernel/errors.ts";

export const conversationIsClosed = defineProblem({
  code: "conversation_closed",
  status: 409,
  title: "The conversation is closed",
  cause: "The conversation was closed, and takes no more messages.",
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
  cause: "Only the agent's latest reply can be written anew, by the agent that answers in the conversation now.",
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

import { defineProblem } from "../../../kernel/errors.ts";

export const decidedByYou = defineProblem({
  code: "decided_by_you",
  status: 403,
  title: "You decided this content yourself",
  cause:
    "A second person has to confirm content, and you are one of its authors: you changed it, or you issued the credential that did. `deciders` of `GET /v1/governance/contents/{object}` lists the authors.",
  remedy: "Ask somebody who is not among `deciders` to review it and confirm it.",
  retryable: false,
});

export const contentChanged = defineProblem({
  code: "content_changed",
  status: 409,
  title: "The content is not what you reviewed",
  cause: "The content changed after you read it, or `digest` belongs to other content.",
  remedy:
    "Read the content again, and confirm it with the digest shown there, which is also in `digest` of this response.",
  retryable: false,
});

export const unknownKind = defineProblem({
  code: "unknown_kind",
  status: 422,
  title: "No content is of this kind",
  cause: "Content is named by its kind and name, such as `agent:sales@3`, and the part before the colon is no kind.",
  remedy: "Use one of the kinds that `errors` lists.",
  retryable: false,
});

export const alreadyYours = defineProblem({
  code: "already_yours",
  status: 409,
  title: "You own this already",
  cause: "It acts in your name and is not stopped, so there is nothing to take over.",
  remedy: "No action is needed. Somebody else can take it over from you.",
  retryable: false,
});

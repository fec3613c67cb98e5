import { Type } from "typebox";
import { refuse } from "../kernel/errors.ts";
import { openToAll } from "../kernel/narrowing.ts";
import { defineRead, exempt } from "../kernel/operation.ts";
import { methodNotAllowed, notFound } from "../kernel/problems.ts";

const everyone = "answers the same to every key";
const nothing = Type.Object({});

/** A path that no operation has: 404 for who has a key, 401 for who has none, both recorded. */
export const unmatchedPath = defineRead({
  id: "service.unmatchedPath",
  path: "/{any}",
  summary: "A path that no operation has",
  params: nothing,
  query: nothing,
  output: nothing,
  example: { output: {} },
  permission: exempt(everyone),
  load: () => undefined,
  compliance: exempt(everyone),
  audit: () => ({ object: null }),
  errors: [notFound],
  handle: () => ({}),
});

/** A path that exists, called with a method that it does not take. */
export const unmatchedMethod = defineRead({
  id: "service.unmatchedMethod",
  path: "/{any}",
  summary: "A method that a path does not take",
  params: Type.Object({ allow: Type.String() }),
  query: nothing,
  output: nothing,
  example: { output: {} },
  permission: exempt(everyone),
  load: exempt("no object is named"),
  narrowing: openToAll("names methods of an address"),
  compliance: exempt(everyone),
  audit: () => ({ object: null }),
  errors: [methodNotAllowed],
  handle: (_ctx, { params }) => {
    throw refuse(methodNotAllowed, `This address takes ${params.allow}.`, { headers: { Allow: params.allow } });
  },
});

/** Calls that reach no operation are calls all the same: they pass the pipeline. */
export const unmatchedOperations = [unmatchedPath, unmatchedMethod];

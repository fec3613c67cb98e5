import type { Finding } from "./checks-schemas.ts";

export { exampleDefinition } from "./definitions-example.ts";

export const exampleFinding: Finding = {
  severity: "error",
  pointer: "/steps/0/agent",
  code: "not_there",
  detail: "There is no agent support. Did you mean suport?",
};

import { rules } from "../resource.ts";

export const readRule = rules.readOperation({
  id: "approvals.readRule",
  summary: "Read an approval rule",
  description: "The rule as it is, with its latest versions and their authors.",
});

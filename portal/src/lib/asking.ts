/** What of an approval says who asks for what. */
interface Asking {
  readonly title: string | null;
  readonly agent: string;
  readonly skill: string;
  readonly tool: string | null;
  readonly status: string;
}

/** What it is about, where its skill or tool says so; else what asks for what. */
export const titleOf = (approval: Asking): string => approval.title ?? asksText(approval);

/** What asks for what. */
export function asksText({ agent, skill, tool, status }: Omit<Asking, "title">): string {
  const asks = status === "pending" ? "asks" : "asked";
  if (skill === "ask:people") return `${agent} ${asks} for a decision`;
  const called = skill.startsWith("tool:") ? skill.slice("tool:".length) : null;
  if (called !== null) return `${agent} ${asks} to call ${called}`;
  return tool === null ? `${agent} ${asks} to run ${skill}` : `${agent} ${asks} to call ${tool}, in ${skill}`;
}

/** What a task does, in short: its skill, or of a workflow's step the tool or the decision. */
export const wantedOf = (skill: string): string => (skill === "ask:people" ? "decision" : skill.replace(/^tool:/, ""));

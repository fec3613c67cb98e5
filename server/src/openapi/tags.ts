/** The groups of the interface, in its order, each with its number of listed operations. */
export const groups: readonly { readonly name: string; readonly listed: number; readonly description: string }[] = [
  { name: "agents", listed: 18, description: "Agents, their versions and deployments, and the work given to them." },
  { name: "knowledge", listed: 14, description: "Knowledge bases, their documents, and search." },
  { name: "tasks", listed: 11, description: "Pieces of work: where they stand, what they did, what came of them." },
  { name: "evaluations", listed: 10, description: "Datasets, scorers, runs, and the gates that they feed." },
  { name: "governance", listed: 12, description: "Policies, budgets, stops, and what they caught." },
  { name: "approvals", listed: 7, description: "Decisions of people that tasks wait for." },
  { name: "audit", listed: 6, description: "The append-only log of every call, its proofs and exports." },
  { name: "chat", listed: 9, description: "Conversations with agents." },
  { name: "missions", listed: 8, description: "Goals that several agents work on, with plan, budget and deadline." },
  { name: "workflows", listed: 9, description: "Fixed sequences of agents, tools, decisions and waits." },
  { name: "marketplace", listed: 6, description: "Agents, workflows, tools and policies to install or share." },
  { name: "analytics", listed: 8, description: "Figures over tasks, costs, quality, approvals and risk." },
  { name: "webhooks", listed: 5, description: "Endpoints that receive events, and the events themselves." },
  { name: "admin", listed: 7, description: "Keys, members and settings." },
];

/** The group of an operation: the part of its id before the dot. */
export function groupOf(operationId: string): string {
  return operationId.slice(0, operationId.indexOf("."));
}

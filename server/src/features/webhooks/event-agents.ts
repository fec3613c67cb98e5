/** The agent of a body as the text of JSON that it is: `agentOfBody` in SQL. */
const agentOfBody = `coalesce((e.body::json -> 'agent')::text, regexp_replace((e.body::json -> 'scope')::text, '^"agent:', '"'))`;

/** Names as a condition of {@link concernsAgents} takes them. */
export const quoted = (agents: readonly string[]): string[] => agents.map((agent) => JSON.stringify(agent));

/** Whether an event `e` concerns one of the agents of a parameter, which are {@link quoted}. */
export const concernsAgents = (p: string): string =>
  `(${agentOfBody} = any(${p}::text[]) or ((e.body::json -> 'kind')::text = '"agent"' and (e.body::json -> 'target')::text = any(${p}::text[])))`;

import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import type { FigureWindow } from "../figures/window.ts";

type Caller = Pick<CallContext, "principal">;

/** The agents that an answer may be about: those that the window is filtered by, as far as they are the key's. Null: all. */
export function agentsIn(
  { principal: { agents } }: Caller,
  { filters }: Pick<FigureWindow, "filters">,
): string[] | null {
  const asked = filters.agent?.flatMap((agent) => agent ?? []);
  if (asked === undefined) return agents === null ? null : [...agents];
  return agents === null ? asked : asked.filter((agent) => agents.includes(agent));
}

/** Whether the caller may read what another group tells, such as policies (`governance:read`). */
export function mayRead({ principal: { kind, role, scopes } }: Caller, permission: string): boolean {
  if (kind === "system") return true;
  return role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
}

export const skillIn = ({ filters }: Pick<FigureWindow, "filters">): string | null => filters.skill?.[0] ?? null;

export function labelIn({ filters }: Pick<FigureWindow, "filters">): string | null {
  const found = Object.entries(filters).find(([name]) => name.startsWith("label:"));
  const value = found?.[1]?.[0];
  return found && value ? `${found[0].slice("label:".length)}:${value}` : null;
}

export const scopeOf = ({ scope: { organization, environment } }: Pick<ReadContext, "scope">): [string, string] => [
  organization,
  environment,
];

export const tasksWithin = ({ from, to }: Pick<FigureWindow, "from" | "to">): [string, string] => [
  lowestId("tsk", from),
  lowestId("tsk", to),
];

import { type Static, Type } from "typebox";
import type { QueryContext } from "../../../kernel/db.ts";
import { definePort, type PortReader } from "../../../kernel/port.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { AgentName } from "./schemas.ts";

// Slices below agents (workflows, missions, channels, monitors) join the lists of what uses an agent here.

const dependentKinds = ["workflow", "mission", "channel", "monitor", "schedule"] as const;
const Kind = Type.Enum(dependentKinds);

export const Dependent = Type.Object(
  {
    kind: Kind,
    id: Type.String({ description: "Its name or id in the API." }),
    name: Type.String({ description: "Its name for people." }),
    state: Type.String({ description: "Such as `live`, `draft`, `running` or `enabled`." }),
    active: Type.Boolean({ description: "Whether it breaks when the agent is archived." }),
    path: Type.String({ description: "Where to read it." }),
  },
  closed,
);
export type Dependent = Static<typeof Dependent>;

export const Dependents = Type.Object(
  {
    agent: AgentName,
    dependents: Type.Array(Dependent),
    active: Type.Integer({ description: "How many break when the agent is archived." }),
    unseen: Type.Array(Kind, {
      description: "Kinds that the key may not read; they may use the agent.",
    }),
    more: Type.Boolean({ description: "Whether a kind has more than the 100 shown." }),
  },
  { description: "What uses an agent in the environment of the key." },
);
export type Dependents = Static<typeof Dependents>;

export interface DependentSource {
  readonly kind: Dependent["kind"];
  readonly permission: string;
  /** Those that name the agent, `take` at most; `within`: only what concerns no other agents than these. */
  find(
    ctx: QueryContext,
    agent: string,
    within: readonly string[] | null,
    take: number,
  ): Promise<Omit<Dependent, "kind">[]>;
}
export const dependentSources = definePort<readonly DependentSource[]>("dependents of agents");

const mostShown = 100;

/** What uses an agent, as far as `viewer` may see it. */
export async function findDependents(
  ctx: QueryContext & PortReader,
  agent: string,
  viewer: Viewer,
): Promise<Dependents> {
  const seen = ctx.port(dependentSources).filter(({ permission }) => principalHolds(viewer, permission));
  const found: Dependent[][] = [];
  for (const source of seen) {
    const rows = await source.find(ctx, agent, viewer.agents, mostShown + 1);
    found.push(rows.map((row) => ({ kind: source.kind, ...row })));
  }
  const dependents = found.flatMap((rows) => rows.slice(0, mostShown));
  return {
    agent,
    dependents,
    active: dependents.filter(({ active }) => active).length,
    unseen: ctx.port(dependentSources).flatMap((source) => (seen.includes(source) ? [] : [source.kind])),
    more: found.some((rows) => rows.length > mostShown),
  };
}
type Viewer = Pick<Principal, "kind" | "role" | "scopes" | "agents">;

/** Kinds and counts of what breaks without the agent; names only what the viewer may see. */
export async function activeDependents(ctx: QueryContext & PortReader, agent: string, viewer: Viewer) {
  const all = await findDependents(ctx, agent, { kind: "system", role: null, scopes: null, agents: null });
  const { dependents } = await findDependents(ctx, agent, viewer);
  return { count: all.active, shown: dependents.filter(({ active }) => active) };
}

import { compileUserSchema, type Validator } from "@aos/json-schema";
import { type Decider, storedDeciders } from "../../kernel/actor.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { AgentDefinition, SkillDefinition, ToolDefinition } from "./schemas.ts";
import { decidersOfVersion } from "./versions/resource.ts";

export interface LiveSkill {
  readonly definition: SkillDefinition;
  /** Compiled at the first dispatch: schemas of unused skills cost nothing. */
  readonly validate: Validator;
  readonly tools: readonly ToolDefinition[];
}

export interface LiveVersionHere {
  readonly scope: Scope;
  readonly version: LiveVersion;
}

/** The version of an agent that is live in an environment. */
export interface LiveVersion {
  readonly id: string;
  readonly number: number;
  readonly deploymentId: string;
  readonly since: Date;
  readonly definition: AgentDefinition;
  readonly skills: ReadonlyMap<string, LiveSkill>;
  /** Without what a second person has confirmed. */
  readonly deciders: readonly Decider[];
}

/** A version that takes a share of the live one's tasks. */
interface CanaryHere {
  readonly deploymentId: string;
  readonly share: number;
  readonly version: LiveVersion;
}

/** What dispatch needs; `live` is null where it is not deployed. */
export interface KnownAgent {
  readonly agent: string;
  /** Those that the live deployment took over, else the agent's own. */
  readonly labels: readonly string[];
  readonly archived: boolean;
  readonly live: LiveVersion | null;
  readonly canary: CanaryHere | null;
  /** The version that repeats a share of the live one's tasks. */
  readonly shadow: { readonly deploymentId: string; readonly share: number } | null;
  /** Null while it takes work. */
  readonly paused: { readonly mode: "drain" | "cancel"; readonly reason: string; readonly since: Date } | null;
}

interface Row {
  organization: string;
  name: string;
  labels: string[];
  /** Null: not live there, or taken over none. */
  live_labels: string[] | null;
  archived: boolean;
  /** Null where it is neither deployed nor paused. */
  environment: Environment | null;
  /** Null where it is only paused, like what follows up to `since`. */
  deployment_id: string | null;
  version_id: string;
  number: number;
  definition: AgentDefinition;
  since: Date;
  deciders: unknown;
  /** Null without a canary, like what follows. */
  canary_id: string | null;
  canary_share: number;
  canary_since: Date;
  canary_version_id: string;
  canary_number: number;
  canary_definition: AgentDefinition;
  canary_deciders: unknown;
  /** Null without a shadow. */
  shadow_id: string | null;
  shadow_share: number;
  pause_mode: "drain" | "cancel" | null;
  pause_reason: string;
  paused_at: Date;
}

const key = (organization: string, environment: string, agent: string): string =>
  `${organization} ${environment} ${agent}`;

/** All agents and what is deployed where. */
export class AgentFacts {
  readonly #here = new Map<string, KnownAgent>();
  readonly #known = new Map<string, KnownAgent>();
  readonly #live = new Set<string>();

  constructor(rows: readonly Row[]) {
    const everywhere: LiveVersionHere[] = [];
    for (const row of rows) {
      const { organization, name, labels, archived, environment } = row;
      const agent = { agent: name, labels, archived };
      this.#known.set(key(organization, "", name), { ...agent, live: null, canary: null, shadow: null, paused: null });
      if (environment === null) continue;
      const paused = row.pause_mode && { mode: row.pause_mode, reason: row.pause_reason, since: row.paused_at };
      const live = row.deployment_id === null ? null : liveVersion(row, row.deployment_id);
      if (live) this.#live.add(environment);
      this.#here.set(key(organization, environment, name), {
        ...agent,
        labels: row.live_labels ?? labels,
        live,
        canary: live && canaryOf(row),
        shadow: live && row.shadow_id !== null ? { deploymentId: row.shadow_id, share: row.shadow_share } : null,
        paused,
      });
      if (live) everywhere.push({ scope: { organization, environment }, version: live });
    }
    this.live = everywhere;
  }

  readonly live: readonly LiveVersionHere[];
  isLiveIn(environment: string): boolean {
    return this.#live.has(environment);
  }

  /** The agent as it stands in an environment; undefined where the organization has none of that name. */
  find(scope: { organization: string; environment: string }, agent: string): KnownAgent | undefined {
    return (
      this.#here.get(key(scope.organization, scope.environment, agent)) ??
      this.#known.get(key(scope.organization, "", agent))
    );
  }

  names(organization: string): string[] {
    const start = key(organization, "", "");
    return [...this.#known.keys()].flatMap((known) => (known.startsWith(start) ? known.slice(start.length) : []));
  }
}

function canaryOf(row: Row): CanaryHere | null {
  if (row.canary_id === null) return null;
  const { canary_version_id: version_id, canary_number: number, canary_definition: definition } = row;
  const { canary_since: since, canary_deciders: deciders } = row;
  const version = liveVersion({ version_id, number, definition, since, deciders }, row.canary_id);
  return { deploymentId: row.canary_id, share: row.canary_share, version };
}

type VersionFields = Pick<Row, "version_id" | "number" | "definition" | "since" | "deciders">;

function liveVersion(row: VersionFields, deploymentId: string): LiveVersion {
  const tools = new Map(row.definition.tools.map((tool) => [tool.name, tool]));
  const skills = row.definition.skills.map((definition): [string, LiveSkill] => {
    let validator: Validator | undefined;
    const validate: Validator = (value) => {
      validator ??= inputValidator(definition);
      return validator(value);
    };
    return [
      definition.name,
      { definition, validate, tools: (definition.tools ?? []).flatMap((name) => tools.get(name) ?? []) },
    ];
  });
  return {
    id: row.version_id,
    number: row.number,
    deploymentId,
    since: row.since,
    definition: row.definition,
    skills: new Map(skills),
    deciders: storedDeciders(row.deciders),
  };
}

/** A schema that no longer compiles accepts no input rather than any. */
function inputValidator(definition: SkillDefinition): Validator {
  const compiled = compileUserSchema(definition.input);
  if (compiled.ok) return compiled.validate;
  return () => [
    {
      pointer: "",
      code: "broken_schema",
      detail: `the input schema of ${definition.name} is not usable; freeze a corrected version`,
    },
  ];
}

/** Touched by whatever changes an agent, a version or a deployment. */
export const agentFacts = defineFacts<AgentFacts>({
  topic: "agents",
  async load(db) {
    return new AgentFacts(
      await db.query<Row>(
        `select a.organization, a.name, a.labels, d.labels as live_labels, a.archived_at is not null as archived, h.environment, d.id as deployment_id, d.created_at as since,
                v.id as version_id, v.number, v.definition, ${decidersOfVersion("v", "h.environment", "d")} as deciders, c.id as canary_id, c.share as canary_share, c.created_at as canary_since,
                w.id as canary_version_id, w.number as canary_number, w.definition as canary_definition,
                ${decidersOfVersion("w", "h.environment", "c")} as canary_deciders,
                s.id as shadow_id, s.share as shadow_share, p.mode as pause_mode, p.reason as pause_reason, p.created_at as paused_at
         from agents a
         left join (select organization, environment, agent from deployments where state = 'live'
                    union select organization, environment, agent from agent_pauses) h on h.organization = a.organization and h.agent = a.name
         left join deployments d on d.organization = a.organization and d.environment = h.environment and d.agent = a.name and d.state = 'live'
         left join agent_pauses p on p.organization = a.organization and p.environment = h.environment and p.agent = a.name
         left join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
         left join deployments c on c.organization = a.organization and c.environment = h.environment and c.agent = a.name and c.state = 'canary'
         left join deployments s on s.organization = a.organization and s.environment = h.environment and s.agent = a.name and s.state = 'shadow'
         left join agent_versions w on w.organization = c.organization and w.agent = c.agent and w.number = c.version_number`,
      ),
    );
  },
});

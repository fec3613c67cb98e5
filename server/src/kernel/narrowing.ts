import type { ReadContext } from "./context.ts";
import { type Refusal, refuse } from "./errors.ts";
import type { Principal } from "./principal.ts";
import { insufficientScope } from "./problems.ts";

// How an operation holds a key to the agents that it is narrowed to. Each operation says so or follows a rule below; there is no default for the rest.

/** The agents that a call concerns; null: none in particular, or all of them, which a narrowed key does not reach. */
export type Concerned = readonly string[] | null;

type AgentsOf<Given> = (ctx: ReadContext, given: Given) => Concerned | Promise<Concerned>;

export type Narrowing<P, B, L> =
  /** Refused to narrowed keys. */
  | { readonly kind: "whole"; readonly text: string }
  /** Takes the key no further than its agents by itself: what a list shows, or what each item of a batch may. */
  | { readonly kind: "limited"; readonly text: string }
  /** The same for every key: nothing of any agent. */
  | { readonly kind: "open"; readonly text: string }
  /** The agents of the objects that the path names, known before the body is read. */
  | {
      readonly kind: "object";
      readonly text: string;
      readonly agents: AgentsOf<{ readonly params: P; readonly loaded: L }>;
    }
  /** The agents of what the body names. It fits its schema by then. */
  | {
      readonly kind: "body";
      readonly text: string;
      readonly agents: AgentsOf<{ readonly params: P; readonly body: B; readonly loaded: L }>;
    };

/** Refused to narrowed keys, because it concerns all agents or none. The reason completes "it …" in the refusal. */
export const whole = (text: string) => ({ kind: "whole", text }) as const;
/** The operation itself shows and does only what concerns the key's agents; `text` says what that is. The walk over the registry tests it. */
export const limitedTo = (text: string) => ({ kind: "limited", text }) as const;
/** Says nothing of any agent, such as a catalogue, or only of the caller itself. */
export const openToAll = (text: string) => ({ kind: "open", text }) as const;
/** By the agents of what the path names; all of them have to be the key's. */
export const byObject = <P, L>(text: string, agents: AgentsOf<{ readonly params: P; readonly loaded: L }>) =>
  ({ kind: "object", text, agents }) as const;
/** By the agents of what the body names, and of what the path names as everywhere; all of them have to be the key's. */
export const byBody = <P, B, L>(
  text: string,
  agents: AgentsOf<{ readonly params: P; readonly body: B; readonly loaded: L }>,
) => ({ kind: "body", text, agents }) as const;

/** What may be known of a narrowing outside the pipeline. */
export interface NarrowingRule {
  readonly kind: "whole" | "limited" | "open" | "object" | "body" | "path" | "loaded";
  readonly text: string;
}

/** Permissions whose operations concern all agents, unless an operation says otherwise. */
const wholePermissions: Readonly<Record<string, string>> = {
  "admin:read": "concerns members, settings and connections, which serve all agents",
  "admin:write": "concerns members, settings and connections, which serve all agents",
};

const byPath: NarrowingRule = { kind: "path", text: "the agent in the path" };
/** Fails closed: what is loaded has to say its `agent` or `agents`, else the call is refused. */
const byLoaded: NarrowingRule = { kind: "loaded", text: "the agents of what the path names" };

interface Declared {
  readonly id: string;
  readonly path?: string;
  readonly permission: unknown;
  readonly load: unknown;
  readonly narrowing?: NarrowingRule | undefined;
}

/** The rule of an operation that has an address: its own, else that of its permission, its path, or what it loads. Throws where none applies. */
export function narrowingOf({ id, path, permission, load, narrowing }: Declared): NarrowingRule {
  if (narrowing) return narrowing;
  const reason = typeof permission === "string" ? wholePermissions[permission] : undefined;
  if (reason !== undefined) return whole(reason);
  if (path?.includes("{agent}")) return byPath;
  if (typeof load === "function") return byLoaded;
  throw new Error(
    `${id} does not say how it holds keys that are narrowed to agents: declare \`narrowing\` (kernel/narrowing.ts)`,
  );
}

/** Refuses a narrowed key what concerns other agents, or none of its own. */
export function permitAgents({ agents: own }: Pick<Principal, "agents">, concerned: Concerned): void {
  if (own === null || (concerned !== null && concerned.length > 0 && concerned.every((agent) => own.includes(agent))))
    return;
  const foreign = concerned?.find((agent) => !own.includes(agent));
  throw beyond(
    own,
    foreign === undefined ? "this call concerns what is not its agents' alone" : `this call concerns ${foreign}`,
    foreign,
  );
}

/** `users` where all of them are the key's agents, else null: the refusal does not tell who else uses an object. */
export function usedByOwn(
  { principal: { agents: own } }: Pick<ReadContext, "principal">,
  users: readonly string[],
): Concerned {
  return own === null || users.every((agent) => own.includes(agent)) ? users : null;
}

/** The refusal of a key that is narrowed to agents. */
export function beyond(own: readonly string[], why: string, agent = "*"): Refusal {
  return refuse(insufficientScope, `The key is limited to the agents ${own.join(", ")}; ${why}.`, {
    stage: "permissions",
    members: { missing_scope: `agent:${agent}` },
  });
}

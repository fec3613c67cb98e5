/** The roles a key can carry. What each may do is said in `role-permissions.ts` alone. */
export const roles = ["viewer", "operator", "builder", "evaluator", "approver", "auditor", "admin"] as const;
export type Role = (typeof roles)[number];

/** The organization of an installation. Every row carries it, so that a hosted installation can have many. */
export const defaultOrganization = "default";

export const environments = ["development", "staging", "production"] as const;
export type Environment = (typeof environments)[number];

/** In the place of an environment: the log of calls that belong to none, since nobody knows who called. */
export const installationEnvironment = "installation";

/** Which rows a call may see: every primary key begins with these two. */
export interface Scope {
  readonly organization: string;
  readonly environment: Environment;
}

/** Who acts. `system` principals are the service's own jobs and the host's command line. */
export interface Principal {
  readonly kind: "member" | "service_account" | "system" | "anonymous";
  /** `mbr_…` for members and service accounts, `system:<job>`, or `anonymous`. */
  readonly id: string;
  readonly role: Role | null;
  readonly keyId: string | null;
  /** Scopes the key is narrowed to (`tasks:read`); null: all that the role has. */
  readonly scopes: readonly string[] | null;
  /** Agents the key is narrowed to; null: all. */
  readonly agents: readonly string[] | null;
  /** Whether its person took this credential up in person: signed in by OpenID Connect or passkey, or issued the key to themselves from such a sign-in. */
  readonly personal: boolean;
  /** Members (`mbr_…`) and `host` who could use this credential besides its owner: who issued it, and who issued what it was issued with. Empty for a personal one. */
  readonly issuers: readonly string[];
  /** Teams of its environment that a member belongs to, by name, as of this call; absent: none. */
  readonly teams?: readonly string[];
  /** The session of the portal (`ses_…`) by which a member acts; absent where it calls by a key itself. */
  readonly sessionId?: string;
  /** The end user who chats by a token that a key issued; absent where the key itself calls. */
  readonly chat?: ChatHolder;
}

/** Who holds a chat token, and for what. */
export interface ChatHolder {
  /** The token's id, `ctk_…`. */
  readonly token: string;
  /** The caller's own name of the person. */
  readonly user: string;
  readonly agent: string;
  /** The channel by which their conversations come. */
  readonly channel: string;
  /** The only conversation that it opens; null: all that this user has with the agent in the channel. */
  readonly conversation: string | null;
}

/** Whom limits of a process count a call for: its key, else the session, else whoever calls, such as a hook, whose name others may use elsewhere. */
export const callerOf = (principal: Principal, { organization, environment }: Scope): string =>
  endUserOf(principal) ?? principal.keyId ?? principal.sessionId ?? `${organization} ${environment} ${principal.id}`;

/** An end user among those for whom a key issued chat tokens; undefined: no end user calls. */
export const endUserOf = ({ keyId, chat }: Pick<Principal, "keyId" | "chat">): string | undefined =>
  chat && JSON.stringify([keyId, chat.channel, chat.agent, chat.user]);

/** Among issuers: whoever operates the host, by its command line, its first start or a one-time link made there. */
export const host = "host";

/** Who takes part in a decision, with everybody accountable for the credential by which they did. */
export interface Participant {
  readonly id: string;
  /** Everybody accountable for the credential: its owner, and who else could use it. */
  readonly accountable: readonly string[];
}

/** The principal of a call as a participant. */
export function participantOf({ kind, id, issuers }: Pick<Principal, "kind" | "id" | "issuers">): Participant {
  const owner = kind === "system" ? [] : [id];
  return { id, accountable: [...new Set([...owner, ...issuers])] };
}

export const anonymous: Principal = {
  kind: "anonymous",
  id: "anonymous",
  role: null,
  keyId: null,
  scopes: null,
  agents: null,
  personal: false,
  issuers: [],
};

/** A principal of the service itself, such as `system:worker`. */
export function systemPrincipal(job: string): Principal {
  return {
    kind: "system",
    id: `system:${job}`,
    role: null,
    keyId: null,
    scopes: null,
    agents: null,
    personal: false,
    issuers: [host],
  };
}

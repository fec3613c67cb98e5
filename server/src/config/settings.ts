import type { Witness } from "../audit-log/witness-exchange.ts";
import type { RoleMapping } from "../kernel/identity.ts";

export type Role = "all" | "api" | "worker";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** How people sign in: an OpenID Connect provider, and the mail server for invitations. */
export interface SignInConfig {
  /** Undefined: nobody signs in by OpenID Connect. */
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  /** As people know the provider; default: its host. */
  readonly oidcName: string | undefined;
  readonly oidcScopes: string;
  /** Undefined: roles are set by hand, and nobody becomes a member by signing in. */
  readonly oidcRoles: RoleMapping | undefined;
  /** Undefined: nobody is invited by e-mail. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

/** The service's settings, each read from the environment variable that `VARIABLES` names. */
export interface Config extends SignInConfig {
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly appUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** The role that owns the tables, where that of `databaseUrl` does not. Undefined: one role does both. */
  readonly migrateDatabaseUrl: string | undefined;
  readonly role: Role;
  readonly sample: boolean;
  readonly starters: boolean;
  readonly rateLimit: boolean;
  /** Calls of one key or session in flight in one process. */
  readonly inFlight: number;
  /** 32 bytes; undefined: the service makes one and keeps it in the data folder. */
  readonly secretKey: Uint8Array | undefined;
  /** Addresses and CIDR ranges of the reverse proxies whose forwarding headers count; empty: none. */
  readonly trustProxy: readonly string[];
  /** Private networks and origins that agents, connections and webhooks may call besides public addresses; empty: none. */
  readonly outboundAllow: readonly string[];
  /** Absolute folders of this host below which connectors of knowledge bases may read files; empty: none. */
  readonly knowledgeFolders: readonly string[];
  /** Whom to ask for cosignatures on the heads of the audit log; empty: nobody. */
  readonly auditWitnesses: readonly Witness[];
  /** Bytes of trained built-in models that a process keeps in memory. */
  readonly modelMemory: number;
  readonly logLevel: LogLevel;
  /** A port for metrics alone, 0 for any free one; undefined: they are answered at the API's own. */
  readonly metricsPort: number | undefined;
  /** What who reads metrics must name; undefined: nothing. */
  readonly metricsToken: string | undefined;
  /** Whether people can sign in in person here; follows from the settings of the sign-in. */
  readonly personalSignIn: boolean;
}

import type { Logger } from "pino";
import type { Witness } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { KeySource } from "../db/secrets.ts";
import type { PortalSite } from "../http/portal/site.ts";
import type { Clock } from "../kernel/clock.ts";
import type { IdentityProvider, SendMail } from "../kernel/identity.ts";
import type { MetricsAccess, Telemetry } from "../telemetry/index.ts";

export interface AppOptions {
  readonly database: OpenDatabase;
  readonly keySource: KeySource;
  readonly installation: string;
  readonly appUrl: string;
  readonly role: "all" | "api" | "worker";
  /** The portal's files; by default those of this repository. */
  readonly portal?: PortalSite;
  readonly rateLimit: boolean;
  /** Calls of one caller in flight, where the rate is limited; default: 64. */
  readonly inFlight?: number;
  /** How long a request may take to arrive (milliseconds); default: 30 seconds. */
  readonly requestPatience?: number;
  readonly trustProxy: readonly string[];
  /** What the operator opened to tools and models besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Folders of this host below which connectors of knowledge bases may read; none by default. */
  readonly knowledgeFolders?: readonly string[];
  /** Whether the starters are put into the marketplace; they are not by default. */
  readonly starters?: boolean;
  /** Bytes of trained built-in models that are kept in memory; 256 MB by default. */
  readonly modelMemory?: number;
  /** Whom to ask for cosignatures on the heads of the audit log; nobody by default. */
  readonly auditWitnesses?: readonly Witness[];
  /** Whether OpenID Connect or invitations with passkeys are set up, so that people can sign in personally. */
  readonly personalSignIn: boolean;
  /** The OpenID Connect provider; null: none. */
  readonly provider: IdentityProvider | null;
  /** Sends e-mail; null: no mail server is configured. */
  readonly sendMail: SendMail | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the process tells of itself; it is stopped by whoever made it. */
  readonly telemetry: Pick<Telemetry, "tracer" | "meter" | "contents" | "expose">;
  /** Who may read metrics at the address of the API; null: nobody. */
  readonly metrics: MetricsAccess | null;
  /** Whether machines that would hold up calls run in threads of their own. A test that stops the clock keeps them in its thread. */
  readonly ownThreads: boolean;
}

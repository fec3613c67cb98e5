import { Type } from "typebox";
import type { CallContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { installationEnvironment } from "../../../kernel/principal.ts";
import { insufficientScope } from "../../../kernel/problems.ts";

// Which log a call reads: that of its environment, or that of the installation.

export interface LogName {
  readonly organization: string;
  readonly environment: string;
}

export const LogParameter = Type.Optional(
  Type.Enum(["environment", "installation"] as const, {
    description:
      "`environment` (default): the log of the key's environment. `installation`: the log of calls that belong to no environment, since their caller was not known (401); " +
      "for auditors and admins of production whose key is not narrowed to agents.",
  }),
);

export const installationLog = ({ organization }: CallContext["scope"]): LogName => ({
  organization,
  environment: installationEnvironment,
});

/**
 * Whether a call with `audit:read` may read the installation's log. It concerns every environment, so it takes a key of the one that is guarded best, and
 * none that is limited to agents: its records concern none.
 */
export function readsInstallationLog({ scope, principal }: Pick<CallContext, "scope" | "principal">): boolean {
  return scope.environment === "production" && principal.agents === null;
}

export function logOf(ctx: CallContext, asked: "environment" | "installation" = "environment"): LogName {
  if (asked === "environment") return ctx.scope;
  if (readsInstallationLog(ctx)) return installationLog(ctx.scope);
  throw refuse(
    insufficientScope,
    "The installation's log is read with a key of production whose role is auditor or admin, and which is not limited to agents.",
    { stage: "permissions", members: { missing_scope: "environment:production" } },
  );
}

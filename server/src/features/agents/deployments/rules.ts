import { idsOf, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { gateFailed } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { decidesStrictly, isAnybodyLeft } from "../../admin/public.ts";
import { missingNames } from "../definitions/references.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { dependenciesMissing } from "../errors.ts";
import { comparisons } from "../ports.ts";
import type { DeploymentWarning } from "../schemas.ts";
import { authorsOfVersion } from "../versions/deciders.ts";
import type { VersionRow } from "../versions/store.ts";
import { type DeploymentAccount, type DeploymentRow, deploymentJson } from "./store.ts";

/** Throws `dependencies_missing` unless the environment has the bases and connections that the version names. */
export async function refuseMissing(
  ctx: WriteContext,
  agent: string,
  version: number,
  definition: AgentDefinition,
): Promise<void> {
  const missing = await missingNames(ctx, definition);
  if (missing.length === 0) return;
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
  throw refuse(
    dependenciesMissing,
    `Version ${version} of ${agent}: ${missing[0]?.pointer}: ${missing[0]?.detail}${more}.`,
    {
      errors: missing,
    },
  );
}

/**
 * What the gate said of the version that is to go live. The stage asks whether it may act; whether it is no worse than what it replaces is known only of the
 * version that it was compared with, so that an open verdict against any other counts as missing evidence. The call holds the agent.
 */
export async function gateOf(
  ctx: WriteContext,
  version: { readonly agent: string; readonly id: string; readonly number: number },
  live: Pick<DeploymentRow, "version_id" | "version_number"> | undefined,
  { stages }: Governed,
): Promise<{ verdict: string | undefined; reasons: readonly string[] | undefined }> {
  const said = stages.find(({ stage }) => stage === "evaluation_gate");
  const gap =
    live &&
    (await ctx.port(comparisons).findMissing(ctx, version, { id: live.version_id, number: live.version_number }));
  if (!gap) return { verdict: said?.verdict, reasons: said?.reasons };
  if (gap.consequence === "refuse" || gap.consequence === "approve") {
    throw refuse(
      gateFailed,
      `Version ${version.number} of ${version.agent} may not go live in ${ctx.scope.environment}: ${gap.reason}.`,
      {
        stage: "evaluation_gate",
        members: { gate: { state: "missing", reasons: [gap.reason], version: said?.policy_version ?? null } },
      },
    );
  }
  ctx.note(`gate:missing, ${gap.reason}`);
  return { verdict: said?.verdict, reasons: [`missing: ${version.agent} ${version.id}`, gap.reason] };
}

/** Warns if nobody could approve the version's requests: its authors may not, and nobody else with the permission signs in personally. */
export async function deploymentWarnings(
  ctx: WriteContext,
  { agent, number }: VersionRow,
  account: DeploymentAccount,
): Promise<DeploymentWarning[]> {
  if (!decidesStrictly(ctx)) return [];
  const deployed = storedDeciders(deploymentJson(account, "deciders"));
  const counted = idsOf(unite(await authorsOfVersion(ctx, agent, number), deployed));
  if (counted.length === 0 || (await isAnybodyLeft(ctx, counted))) return [];
  const detail = `Nobody in ${ctx.scope.environment} could approve what version ${number} of ${agent} asks for: everybody who may approve there changed or deployed it, or cannot sign in with a passkey or OpenID Connect. Have another person confirm it, or give the role approver to somebody else who can sign in that way.`;
  return [{ code: "nobody_could_approve", detail }];
}

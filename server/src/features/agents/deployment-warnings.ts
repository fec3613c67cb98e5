import { idsOf, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { decidesStrictly, isAnybodyLeft } from "../admin/public.ts";
import { authorsOfVersion } from "./deciders.ts";
import type { DeploymentAccount } from "./deployment-account.ts";
import type { DeploymentWarning } from "./schemas.ts";
import type { VersionRow } from "./version-store.ts";

/** Warns if nobody could approve what the version asks for: its authors may not, and nobody else who may approve here can sign in personally. */
export async function deploymentWarnings(
  ctx: WriteContext,
  { agent, number }: VersionRow,
  account: DeploymentAccount,
): Promise<DeploymentWarning[]> {
  if (!decidesStrictly(ctx)) return [];
  const deployed = account.deciders === null ? [] : storedDeciders(JSON.parse(account.deciders));
  const counted = idsOf(unite(await authorsOfVersion(ctx, agent, number), deployed));
  if (counted.length === 0 || (await isAnybodyLeft(ctx, counted))) return [];
  const detail = `Nobody in ${ctx.scope.environment} could approve what version ${number} of ${agent} asks for: everybody who may approve there changed or deployed it, or cannot sign in with a passkey or OpenID Connect. Have another person confirm it, or give the role approver to somebody else who can sign in that way.`;
  return [{ code: "nobody_could_approve", detail }];
}

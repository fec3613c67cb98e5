import { idsOf } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { decidesStrictly, isAnybodyLeft } from "../admin/public.ts";
import type { WorkflowFinding } from "./definitions-schemas.ts";
import { unlooked, versionObject } from "./version-deciders.ts";
import type { VersionRow } from "./version-store.ts";

/** Warns if nobody could approve what runs of the released version ask for: its authors may not, and nobody else who may approve here can sign in personally. */
export async function whoIsLeft(
  ctx: WriteContext,
  version: Pick<VersionRow, "workflow" | "number">,
): Promise<WorkflowFinding[]> {
  if (!decidesStrictly(ctx)) return [];
  const deciders = idsOf(await unlooked(ctx, version));
  if (deciders.length === 0 || (await isAnybodyLeft(ctx, deciders))) return [];
  const object = versionObject(version.workflow, version.number);
  const detail = `Nobody could approve what its runs ask for in ${ctx.scope.environment}: everybody who may approve there changed or published this version, or cannot sign in with a passkey or OpenID Connect. Have another person confirm ${object}, or give the role approver to somebody else who can sign in that way.`;
  return [{ severity: "warning", pointer: "", code: "nobody_could_approve", detail }];
}

import { shortened } from "@aos/text";
import { type Refusal, refuse } from "../kernel/errors.ts";
import { notFound } from "../kernel/problems.ts";
import type { Call } from "./call.ts";
import { PipelineContext, PipelineReadContext } from "./context.ts";
import { permitObjects, refuseWhole } from "./narrowing.ts";
import { permit, refuseEndUser } from "./permissions.ts";
import type { Admitted, Authorized, Loaded, Reach } from "./stages.ts";

/** Whether role and scope allow the call, and whether what the path names is there: 403, 404 in this order. */
export async function authorize(admitted: Admitted, reached: Reach): Promise<Authorized> {
  const { principal, scope, spec, compiled, params } = admitted;
  const { role } = principal;
  refuseEndUser(principal, spec.id);
  const permissions = permit(principal, spec.permission, role !== null && compiled.roles.allows(role, compiled.index));
  refuseWhole(principal, spec);
  const find = "reason" in spec.load ? null : (spec.load as unknown as (ctx: object, params: object) => unknown);
  const found = find === null ? undefined : await find(new PipelineReadContext(admitted), params);
  if (find !== null && found === undefined) throw missing(params, scope.environment);
  const loaded: Loaded = reached({ ...admitted, loaded: found });
  if (principal.agents !== null) await permitObjects(loaded);
  return { ...loaded, permissions, context: new PipelineContext(loaded) };
}

/** A longer name is shortened in the answer: none of ours is as long. */
const longestName = 100;

/** What the path names is not there, or not to be seen. An unknown address has no names. */
function missing({ "*": unknown, ...params }: Call["params"], environment: string): Refusal {
  // An operation inside the service is given more than names.
  const names = Object.entries<unknown>(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const asked = names.map(([name, value]) => `${name.replace("_", " ")} ${shortened(value, longestName)}`);
  const what = unknown === undefined && asked.length > 0 ? asked.join(" with ") : "such thing";
  return refuse(notFound, `There is no ${what} in ${environment}.`, { stage: "permissions" });
}

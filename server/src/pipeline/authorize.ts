import { type Refusal, refuse } from "../kernel/errors.ts";
import { notFound } from "../kernel/problems.ts";
import { shortened } from "../kernel/text.ts";
import type { Call } from "./call.ts";
import { PipelineContext, PipelineReadContext } from "./context.ts";
import { permitObjects, refuseWhole } from "./narrowing.ts";
import { permit } from "./permissions.ts";
import type { Admitted, Authorized, Loaded, Reach } from "./stages.ts";

/** Whether role and scope allow the call, and whether what the path names is there: 403, 404 in this order. */
export async function authorize(admitted: Admitted, reached: Reach): Promise<Authorized> {
  const { principal, spec, compiled } = admitted;
  const { role } = principal;
  const permissions = permit(principal, spec.permission, role !== null && compiled.roles.allows(role, compiled.index));
  refuseWhole(principal, spec);
  const loaded = reached(await load(admitted));
  if (principal.agents !== null) await permitObjects(loaded);
  return { ...loaded, permissions, context: new PipelineContext(loaded) };
}

async function load(admitted: Admitted): Promise<Loaded> {
  const { spec, params, scope } = admitted;
  if ("reason" in spec.load) return { ...admitted, loaded: undefined };
  const find = spec.load as unknown as (ctx: object, params: object) => unknown;
  const loaded = await find(new PipelineReadContext(admitted), params);
  if (loaded === undefined) throw missing(params, scope.environment);
  return { ...admitted, loaded };
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

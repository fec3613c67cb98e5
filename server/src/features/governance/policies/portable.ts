import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { PolicyBody } from "./schemas.ts";
import { findPolicy } from "./store.ts";

/** The newest version of a policy of the environment, as another installation can take it; undefined where there is none that is in use. */
export async function findPortablePolicy(ctx: ReadContext | WriteContext, id: string): Promise<PolicyBody | undefined> {
  const row = await findPolicy(ctx, id);
  if (!row || row.state === "retired") return undefined;
  const { scope, when, effect, params = {}, reason_code, message, controls } = row.definition;
  const { environments: _, ...elsewhere } = scope as NonNullable<PolicyBody["scope"]>;
  return {
    name: row.name,
    ...(Object.keys(elsewhere).length > 0 && { scope: elsewhere }),
    ...{ when, effect },
    ...(Object.keys(params ?? {}).length > 0 && { params: params as NonNullable<PolicyBody["params"]> }),
    ...{ reason_code, message },
    ...(controls.length > 0 && { controls: [...controls] }),
  } as PolicyBody;
}

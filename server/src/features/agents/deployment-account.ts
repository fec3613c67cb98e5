import { actorOfCall, type Decider, decidersOf, storable, storableDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { noteLook } from "../admin/public.ts";
import { contentOfVersion } from "./deciders.ts";
import type { VersionRow } from "./version-store.ts";

/** Who is accountable for a deployment, as its row keeps it. */
export interface DeploymentAccount {
  /** In whose name the service goes on with it, such as promoting a canary. */
  readonly actor: string | null;
  readonly deciders: string | null;
}

/**
 * The account of a deployment by the caller. A second person has looked at the version by letting it act here, so that neither its deciders nor those of the
 * deployment count any longer; `before` are those of the canary that goes live.
 */
export async function accountOf(
  ctx: WriteContext,
  version: VersionRow,
  before: readonly Decider[] = [],
): Promise<DeploymentAccount> {
  const content = await contentOfVersion(ctx, version);
  const actor = storable(actorOfCall(ctx));
  if (await noteLook(ctx, content, "deployed")) return { actor, deciders: null };
  return { actor, deciders: storableDeciders(unite(before, decidersOf(ctx, "deployed", content.object))) };
}

/** The account of a shadow, which has no effect and is no look. */
export function accountOfShadow(ctx: WriteContext, object: string): DeploymentAccount {
  return { actor: storable(actorOfCall(ctx)), deciders: storableDeciders(decidersOf(ctx, "deployed", object)) };
}

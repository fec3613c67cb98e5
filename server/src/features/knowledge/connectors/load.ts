import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { notFound } from "../../../kernel/problems.ts";
import { ofOwnBase } from "../narrowing.ts";
import { type BaseHead, findBase } from "../store.ts";
import { type ConnectorRow, findConnector, lockConnector } from "./connector-store.ts";

export interface LoadedConnector {
  readonly base: BaseHead;
  readonly connector: ConnectorRow;
}

/** The connector that a path names, with its base. */
export async function loadConnector(
  ctx: ReadContext,
  params: { readonly base: string; readonly connector: string },
): Promise<LoadedConnector | undefined> {
  const base = await findBase(ctx, params.base);
  const connector = base && (await findConnector(ctx, base.id, params.connector));
  return base && connector && { base, connector };
}

/** For changes: the agents that name the connector's base. */
export const ofConnectorsBase = (ctx: ReadContext, { loaded }: { loaded: LoadedConnector }): Promise<Concerned> =>
  ofOwnBase(ctx, { loaded: loaded.base });

/** Locks the connector that a call loaded. Throws if it was detached, or changed since the revision that the call is based on. */
export async function lockLoaded(ctx: WriteContext, loaded: ConnectorRow): Promise<ConnectorRow> {
  const connector = await lockConnector(ctx, loaded.id);
  if (!connector || connector.state === "removing") throw refuse(notFound, "The connector was just removed.");
  if (ctx.basedOnLoaded && connector.revision !== loaded.revision) throw changedMeanwhile();
  return connector;
}

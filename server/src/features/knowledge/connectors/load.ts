import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { notFound } from "../../../kernel/problems.ts";
import { type BaseHead, findBase } from "../bases/lookup-store.ts";
import { ofOwnBase } from "../bases/narrowing.ts";
import { type ConnectorRow, connectorRows } from "./resource.ts";
import { findConnector } from "./store.ts";

export interface LoadedConnector {
  readonly base: BaseHead;
  readonly connector: ConnectorRow;
}

export async function loadConnector(
  ctx: ReadContext,
  params: { readonly base: string; readonly connector: string },
): Promise<LoadedConnector | undefined> {
  const base = await findBase(ctx, params.base);
  const connector = base && (await findConnector(ctx, base.id, params.connector));
  return base && connector && { base, connector };
}

export const ofConnectorsBase = (ctx: ReadContext, { loaded }: { loaded: LoadedConnector }): Promise<Concerned> =>
  ofOwnBase(ctx, { loaded: loaded.base });

/** Throws if it was detached or changed since. */
export async function lockLoaded(ctx: WriteContext, loaded: ConnectorRow): Promise<ConnectorRow> {
  const connector = await connectorRows.lock(ctx, loaded.id);
  if (!connector || connector.state === "removing") throw refuse(notFound, "The connector was just removed.");
  if (ctx.basedOnLoaded && connector.revision !== loaded.revision) throw changedMeanwhile();
  return connector;
}

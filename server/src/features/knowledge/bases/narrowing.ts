import type { ReadContext } from "../../../kernel/context.ts";
import { byObject, type Concerned, usedByOwn } from "../../../kernel/narrowing.ts";
import { agentsNaming, basesWithin } from "../../agents/public.ts";
import { type BaseHead, findBase } from "./lookup-store.ts";

// A base belongs to no agent by itself. It is a narrowed key's as far as its agents name it.

/** For changes: the agents that name the base. */
export async function ofOwnBase(ctx: ReadContext, { loaded }: { loaded: BaseHead }): Promise<Concerned> {
  return usedByOwn(ctx, await agentsNaming(ctx, loaded.name));
}

/** For reads: whether one of the key's agents names the base. */
export async function ofKnownBase(ctx: ReadContext, { params }: { params: { base: string } }): Promise<Concerned> {
  const [base, known] = await Promise.all([findBase(ctx, params.base), basesWithin(ctx)]);
  return base && known?.includes(base.name) ? ctx.principal.agents : null;
}

export const byOwnBase = byObject("the agents that name the base, in their draft or a version", ofOwnBase);
export const byKnownBase = byObject(
  "a base that one of the key's agents names, in its draft or a version",
  ofKnownBase,
);

/** What the record of a call about a base names. */
export const aboutBase = ({ params, loaded }: { params: { base: string }; loaded: { id: string } | undefined }) =>
  `base:${loaded?.id ?? params.base}`;

import type { ReadContext } from "../../../kernel/context.ts";

/** The chunks of bases that mean most nearly what the query says, best first; empty where no provider of embeddings is connected. */
export async function vectorCandidates(
  _ctx: Pick<ReadContext, "scope" | "db" | "facts">,
  _bases: readonly { readonly id: string; readonly generation: number }[],
  _query: string,
  _limit: number,
): Promise<{ place: number; rank: number }[]> {
  return [];
}

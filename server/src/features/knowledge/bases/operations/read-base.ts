import { defineRead } from "../../../../kernel/operation.ts";
import { agentsLiveWith, agentsNaming } from "../../../agents/public.ts";
import { readerTokens } from "../../access.ts";
import { exampleBase } from "../../example.ts";
import { KnowledgeBaseDetails } from "../../schemas.ts";
import { vectorHealth } from "../../search/vectors/vector-store.ts";
import { byKnownBase } from "../narrowing.ts";
import { bases } from "../operation-parts.ts";
import { readHoldings } from "../store.ts";

export const readBase = defineRead({
  ...bases.readOfOne(),
  ...bases.answer,
  id: "knowledge.readBase",
  listed: true,
  summary: "Read a knowledge base",
  description: "Its settings and contents, the state of its index, and which agents use it.",
  output: KnowledgeBaseDetails,
  example: {
    params: { base: exampleBase.name },
    output: {
      ...exampleBase,
      agents: ["sales"],
      live_agents: ["sales"],
      versions: 0,
      pages: 0,
      bytes: 0,
      vectors: null,
    },
  },
  narrowing: byKnownBase,
  async handle(ctx, { loaded }) {
    const { id, name } = loaded;
    const sight = [readerTokens(ctx.principal)];
    const [item, holdings, naming, vectors] = await Promise.all([
      bases.itemOf(ctx, loaded),
      readHoldings(ctx, id),
      agentsNaming(ctx, name),
      vectorHealth(ctx, [id], sight),
    ]);
    const { agents: own } = ctx.principal;
    const seen = (agent: string): boolean => own === null || own.includes(agent);
    const live = agentsLiveWith(ctx, name).filter(seen).sort();
    return {
      ...item,
      agents: naming.filter(seen).sort(),
      live_agents: live,
      ...holdings,
      vectors: vectors.get(id) ?? null,
    };
  },
});

import { Type } from "typebox";
import { sql } from "../../../../db/scoped.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { webhookStates } from "../../schemas.ts";
import { webhooks } from "../resource.ts";

export const listWebhooks = webhooks.listOperation({
  id: "webhooks.listWebhooks",
  listed: true,
  summary: "List endpoints",
  description:
    "The endpoints of this environment, newest first, with their health. A key that is narrowed to agents sees those that are bound to no others.",
  filters: { state: commaList(Type.Enum(webhookStates), "States") },
  narrowing: limitedTo("lists endpoints that are bound to the key's agents"),
  narrow(query, { ctx: { principal }, filter: { state } }) {
    const { agents } = principal;
    return query
      .$if(state !== undefined, (q) => q.where("r.state", "in", state ?? []))
      .$if(agents !== null, (q) => q.where("r.agents", "<@", sql<string[]>`${agents}::text[]`));
  },
});

import { defineRead } from "../../../kernel/operation.ts";
import { chargebackOf, csvOfBill } from "../chargeback.ts";
import { Chargeback, chargebackQuery } from "../chargeback-schemas.ts";
import { figureRead } from "../figure-read.ts";
import { exampleChargeback } from "../figures-example.ts";

export const readChargeback = defineRead({
  ...figureRead,
  id: "analytics.readChargeback",
  path: "/v1/analytics/chargeback",
  summary: "Read a month's bill",
  description:
    "What the tasks of a month in a time zone cost, by member, key, agent or a declared label. Lines are whole millionths of a dollar and sum exactly to the total. `Accept: text/csv` answers the same as CSV.",
  query: chargebackQuery,
  output: Chargeback,
  writes: { "text/csv": { etag: "csv", write: csvOfBill } },
  example: { output: exampleChargeback },
  handle: (ctx, { query }) => chargebackOf(ctx, query),
});

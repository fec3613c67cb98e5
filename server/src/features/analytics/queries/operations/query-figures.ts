import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { csvOf, parquetOf } from "../csv.ts";
import { exampleAnswer, exampleQuery } from "../example.ts";
import { answerQuery } from "../query.ts";
import { QueryAnswer, QueryBody } from "../schemas.ts";

export const queryFigures = defineOperation({
  id: "analytics.queryFigures",
  method: "POST",
  path: "/v1/analytics/query",
  listed: true,
  summary: "Query figures",
  description:
    "Measures by dimensions and time, under a condition, each with its interval, what it was in another window, and the list of the things behind it. `GET /v1/analytics/schema` says " +
    "what there is to ask for. A task counts in the minute of its dispatch, with everything that became of it. With `Accept: text/csv` or `application/vnd.apache.parquet` " +
    "the rows come as a table, as `columns` describes it. It only reads.",
  body: QueryBody,
  output: QueryAnswer,
  example: { body: exampleQuery, output: exampleAnswer },
  writes: { "text/csv": { etag: "csv", write: csvOf } },
  streams: {
    async *"application/vnd.apache.parquet"(_ctx, { output }) {
      yield await parquetOf(output);
    },
  },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("counts what belongs to the key's agents"),
  gate: exempt("makes no agent act"),
  decides: exempt("figures are for people"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  errors: [invalidBody],
  handle: (ctx, { body }) => answerQuery(ctx, body),
});

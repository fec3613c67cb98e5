import { type ChangeInput, type GetInput, send } from "./client.ts";
import { type Read, read } from "./queries.ts";
import type { Schema } from "./types.ts";

export type QueryBody = ChangeInput<"post", "/v1/analytics/query">["body"];

/** Measures and dimensions that can be asked for here. */
export const readAnalyticsSchema = () => ({
  ...read("/v1/analytics/schema", {} as GetInput<"/v1/analytics/schema">),
  staleTime: 60_000,
});
/** A query, asked as a read: it changes nothing. */
export const queryFigures = (body: QueryBody): Read<Schema<"QueryAnswer">> => ({
  queryKey: ["/v1/analytics/query", body],
  queryFn: async () => (await send("post", "/v1/analytics/query", { body })) as Schema<"QueryAnswer">,
});

import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export const whoami = () => read("/v1/admin/whoami", {});
export const listKeys = (filter: GetQuery<"/v1/admin/keys">) => read("/v1/admin/keys", { query: filter });

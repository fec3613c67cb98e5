import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./generated/api.ts";

export interface ClientOptions {
  /** Where the service is: an origin such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** A secret key. In a browser that is signed in by cookie: none. */
  readonly key?: string;
  readonly fetch?: typeof fetch;
}

/** A typed client of every operation: `client.GET("/v1/tasks/{task}", { params: { path: { task } } })` answers `{ data, error, response }`. */
export function createClient({ baseUrl, key, fetch }: ClientOptions): Client<paths> {
  return createFetchClient<paths>({
    baseUrl,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}

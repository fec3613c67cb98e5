export { type ClientOptions, createClient } from "./client.ts";
export type { components, operations, paths } from "./generated/api.ts";

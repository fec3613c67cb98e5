import type { Schema } from "./value-schemas.ts";

/** What a workflow may call, as its environment knows it when it is checked. A text says why there is none. */
export interface KnownCalls {
  skill(agent: string, skill: string): { readonly input?: Schema; readonly output?: Schema } | string;
  tool(agent: string, tool: string): { readonly arguments?: Schema; readonly effect: "read" | "write" } | string;
  workflow(name: string, version: number | null): { readonly input?: Schema; readonly output?: Schema } | string;
}

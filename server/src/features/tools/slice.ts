import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";

/** What agents' tools may do, and trying them. Its operations are of the group of agents: their ids begin with `agents`. */
export const slice = defineSlice({ schemas, actions: { "agent.test": {} } });

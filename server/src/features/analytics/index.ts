export { Roller } from "./rollups/roller.ts";

export { Roller } from "./roll-loop.ts";

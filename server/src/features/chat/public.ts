/** What is joined with slices above, and what machines use. */
export { openTurn } from "./live-turns.ts";

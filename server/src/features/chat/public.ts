/** What is joined with slices above, and what machines use. */
export { dependentChannels } from "./dependents.ts";
export { openTurn } from "./live-turns.ts";

import { type Detail, goesOn } from "./words.ts";

/** How soon an approval is read again, in ms: often while it waits or its task goes on, never once all is over. */
export const liveEvery = (approval: Detail | undefined): number | false => {
  if (approval === undefined || approval.status === "pending") return 3000;
  return goesOn(approval) ? 1500 : false;
};

import type { Sweep } from "../../../kernel/machines.ts";
import { lapseGrants } from "./grant-store.ts";

/** Most grants that one look takes up; the next look is a second later. */
const most = 500;

export const budgetSweep: Sweep = {
  name: "budgets.lapse",
  run: async ({ db }) => void (await lapseGrants(db, most)),
};

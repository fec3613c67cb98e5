import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { useApp } from "../src/testing/app.ts";
import { withMail } from "./arrangements.ts";
import { walk } from "./walk.ts";

// Rule D of decision 0064: who changes a rule is not accountable for calls, so that approvals have to show the change.

const app = useApp(withMail);

const aListing = "a listing is a file to others; what its rules become is made by calls of an install";
const anInstall = "each part that is made or removed is a call of its own, which notes it";
const feedback = "feedback moves trust within bounds, and is kept with its task";
const monitor = "draws ended tasks for people to judge; no approval depends on it";
/** Operations that decide rules and note no change of them, with why. */
const notNoted: Readonly<Record<string, string>> = {
  "chat.rateMessage": feedback,
  "evaluations.createMonitor": monitor,
  "evaluations.removeMonitor": monitor,
  "evaluations.submitReview": feedback,
  "governance.engageKillSwitch": "stops work; it can loosen nothing",
  "marketplace.createListing": aListing,
  "marketplace.createVersion": aListing,
  "marketplace.installListing": anInstall,
  "marketplace.removeInstall": anInstall,
  "marketplace.resetInstall": anInstall,
  "marketplace.updateInstall": anInstall,
  "tasks.submitFeedback": feedback,
};

const ruling = publishedOperations()
  .map(describeOperation)
  .filter(({ decides }) => decides?.includes("rules"));

/** How many changes of rules were noted. */
const noted = async (): Promise<number> =>
  (await app.pool.query<{ count: number }>("select count(*)::int as count from rule_changes")).rows[0]?.count ?? 0;

describe("an operation that decides rules", () => {
  it("is exempt from noting its change only where it exists", () => {
    const ids = ruling.map(({ id }) => id);
    expect(Object.keys(notNoted).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it.each(ruling.filter(({ id }) => !(id in notNoted)).map((operation) => [operation.id, operation] as const))(
    "notes a change of rules: %s",
    async (id, operation) => {
      const { arranged, call } = walk(app, operation);
      const given = await arranged();
      const before = await noted();
      const { status, text } = await call(given);
      expect(status, text).toBe(operation.status);
      expect(await noted(), `${id} calls no noteRuleChange (features/admin/settings/rule-changes.ts)`).toBeGreaterThan(
        before,
      );
    },
  );
});

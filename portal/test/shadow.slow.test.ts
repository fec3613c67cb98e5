import { describe, expect, it } from "vitest";
import { deployedAgent } from "../../server/src/features/agents/testing.ts";
import { newId, scope } from "../../server/src/features/analytics/rollups/facts.fixture.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("a shadow in the portal", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const read = async (path: string) => (await app.call("GET", path)).body;

  /** Runs as a worker stores them: of each five the last differs. */
  async function runs(deployment: string, count: number): Promise<void> {
    const side = (amount: number) =>
      JSON.stringify({ status: "completed", output: { amount }, failure: null, calls: [] });
    for (let n = 1; n <= count; n++) {
      const same = n % 5 > 0;
      const differences = same ? [] : [{ pointer: "/output/amount", live: 10, shadow: 12 }];
      await app.pool.query(
        `insert into shadow_runs (organization, environment, id, deployment_id, agent, task_id, skill, version_id, state, live, shadow, comparison,
           same, live_cost_usd, cost_usd, live_ms, ms, created_at, finished_at)
         values ($1, $2, $3, $4, 'greeter', $5, 'answer', 'ver_2', 'compared', $6, $7, $8, $9, 0.01, 0.02, 900, 1400, now(), now())`,
        [
          scope.organization,
          scope.environment,
          newId("shr"),
          deployment,
          newId("tsk"),
          side(10),
          side(same ? 10 : 12),
          JSON.stringify({ up_to: "end", same, differences }),
          same,
        ],
      );
    }
    await app.pool.query(
      `insert into shadow_runs (organization, environment, id, deployment_id, agent, task_id, skill, version_id, state, reason, created_at)
       values ($1, $2, $3, $4, 'greeter', $5, 'answer', 'ver_2', 'skipped', 'provider_unavailable', now())`,
      [scope.organization, scope.environment, newId("shr"), deployment, newId("tsk")],
    );
  }

  it("is begun from a version with a budget, tells what it would have done, and is ended with a reason", async () => {
    await deployedAgent(app, "greeter", { versions: 2, deploy: [1] });
    await visit(
      "/agents/greeter?tab=versions",
      async (page) => {
        const dialog = page.getByRole("dialog");
        await page.getByRole("button", { name: "Deploy" }).first().click();
        await dialog.getByLabel("How").selectOption("shadow");
        await dialog.getByLabel("Percent of tasks").fill("50");
        await dialog.getByLabel("At most tasks").fill("200");
        await dialog.getByRole("button", { name: "Start shadow" }).click();
        await dialog.waitFor({ state: "detached" });
        const [shadow] = (await read("/v1/agents/greeter/deployments")).data;
        expect(shadow).toMatchObject({ mode: "shadow", share: 50, budget: { cost_usd: 5, tasks: 200 } });
        await runs(shadow.deployment_id, 10);
        await page.getByRole("tab", { name: "Canary" }).click();
        await page.getByText("It carries out 50 % of the live version's tasks too").waitFor();
        await page
          .getByRole("figure", { name: /done the same/ })
          .getByText(/^80 %/)
          .waitFor();
        await page.getByText("10 of 200 tasks").waitFor();
        await page.getByText("provider_unavailable").waitFor();
        const differing = page.getByRole("list", { name: /^Differences/ });
        await expect.poll(() => differing.count()).toBe(2);
        await page.getByText("Both outputs").first().click();
        await page.getByRole("table", { name: "Output, shadow" }).getByRole("cell", { name: "12" }).waitFor();
        await page.getByRole("button", { name: "Change shadow share" }).click();
        await dialog.getByLabel("Percent of the live").fill("100");
        await dialog.getByRole("button", { name: "Change share" }).click();
        await page.getByText("It carries out 100 %").waitFor();
        await page.getByRole("button", { name: "End shadow" }).click();
        await dialog.getByLabel("Why").fill("Seen enough.");
        await dialog.getByRole("button", { name: "End shadow" }).click();
        await page.getByRole("heading", { name: "Earlier canaries and shadows" }).waitFor();
        await page.getByText("Seen enough.").first().waitFor();
      },
      { key: app.key("admin") },
    );
    const [ended] = (await read("/v1/agents/greeter/deployments")).data;
    expect(ended).toMatchObject({ mode: "shadow", outcome: "ended", reason: "Seen enough." });
  });
});

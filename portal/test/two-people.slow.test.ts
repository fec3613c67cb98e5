import { describe, expect, it } from "vitest";
import { type Cast, castIn, must, payingAgent } from "../../server/src/testing/actors.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("two people", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };

  /** A payment that Alice asks for, of an agent that Bob decided; she changed the settings before. */
  async function payment(cast: Cast): Promise<string> {
    const agent = await payingAgent(app, cast);
    const decided = [{ id: cast.bob.memberId, how: "agent", of: `agent:${agent}@1`, at: "2026-11-20T09:30:00.000Z" }];
    await app.pool.query("update agent_versions set deciders = $2 where agent = $1", [agent, JSON.stringify(decided)]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
    const path = `/v1/governance/budgets/member:${cast.alice.memberId}`;
    await must(app, 200, cast.alice, "PUT", path, { limits: [{ unit: "tasks", period: "day", hard: 50 }] });
    const body = { task: "settle", amount: 240 };
    return (await must(app, 202, cast.alice, "POST", `/v1/agents/${agent}/tasks`, body)).task_id;
  }

  it.each([
    ["wide", {}],
    ["on a phone", phone],
  ] as const)(
    "shows at an approval who stands behind it, who could decide and which rules they changed, %s",
    async (_name, look) => {
      const cast = await castIn(app, "staging");
      const task = await payment(cast);
      await visit(
        `/approvals/${task}`,
        async (page) => {
          const list = page.getByRole("list", { name: "Who stands behind this" });
          await list.getByText("asked for it").waitFor();
          await list.getByText("changed the agent's instructions, skills or tools").waitFor();
          await page.getByRole("heading", { name: "Who could decide" }).waitFor();
          await page.getByText(`Changed the budget of member:${cast.alice.memberId}`).waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        },
        { ...look, key: cast.carol.secret },
      );
    },
  );

  it.each([
    ["wide", {}],
    ["on a phone", phone],
  ] as const)(
    "has a second person confirm a schedule, and somebody take over a stopped one, %s",
    async (name, look) => {
      const [alice, bob] = [await app.signedInMember("builder"), await app.signedInMember("builder")];
      const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *", note: `Of ${name}.` };
      const { schedule_id: id } = await must(app, 201, alice, "POST", "/v1/agents/sales/schedules", body);
      await visit(
        "/agents/sales?tab=schedules",
        async (page) => {
          const row = page.getByRole("listitem").filter({ hasText: `Of ${name}.` });
          await row.getByText("Not confirmed").waitFor();
          await row.getByText("Authors and confirmation").click();
          await row.getByText("No second person has confirmed it here").waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          await row.getByRole("button", { name: `Confirm schedule:${id}` }).click();
          await row.getByText("Its authors may approve its actions again.").waitFor();
          expect(await row.getByText(/^Confirmed by/).count()).toBe(2);
          await app.pool.query(
            "update agent_schedules set stopped_at = now(), next_at = null, stopped_reason = 'Stopped: Alice was removed from the organization. Somebody else can take it over.' where id = $1",
            [id],
          );
          await page.reload();
          await row.getByText("Stopped: Alice was removed").waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          await row.getByRole("button", { name: "Take over" }).click();
          await row.getByText("Stopped: Alice was removed").waitFor({ state: "detached" });
        },
        { ...look, key: bob.secret },
      );
    },
  );

  it.each([
    ["wide", {}],
    ["on a phone", phone],
  ] as const)("has somebody take over a stopped webhook and a stopped report, %s", async (name, look) => {
    const [alice, bob] = [await app.signedInMember("admin"), await app.signedInMember("admin")];
    const endpoint = { url: `https://hooks.example.com/${name.replaceAll(" ", "-")}`, events: ["task.completed"] };
    const { webhook_id: webhook } = await must(app, 201, alice, "POST", "/v1/webhooks", endpoint);
    const weekly = { name: `Figures ${name}`, schedule: "0 7 * * 1", period: "week" };
    const { report_id: report } = await must(app, 201, alice, "POST", "/v1/analytics/reports", weekly);
    const stopped = `stopped_at = now(), stopped_reason = 'Stopped: Alice (${alice.memberId}) was removed from the organization. Somebody else can take it over.'`;
    await app.pool.query(
      `update webhooks set state = 'disabled', disabled_reason = 'stopped', ${stopped} where id = $1`,
      [webhook],
    );
    await app.pool.query(`update analytics_reports set next_at = null, ${stopped} where id = $1`, [report]);
    for (const [path, read] of [
      [`/webhooks/${webhook}`, `/v1/webhooks/${webhook}`],
      [`/analytics/reports/${report}`, `/v1/analytics/reports/${report}`],
    ] as const)
      await visit(
        path,
        async (page) => {
          await page.getByText(/^Stopped: /).waitFor();
          expect(await page.getByRole("button", { name: "Enable", exact: true }).count()).toBe(0);
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          await page.getByRole("button", { name: "Take over" }).click();
          await page.getByText(/^Stopped: /).waitFor({ state: "detached" });
          expect((await must(app, 200, bob, "GET", read)).stopped_reason).toBeNull();
        },
        { ...look, key: bob.secret },
      );
  });

  it("takes a workflow out of service here, and names where it is still live", async () => {
    const { alice } = await castIn(app, "production");
    await must(app, 201, alice, "POST", "/v1/workflows", {
      workflow: "still_live",
      steps: [{ id: "double", set: { seats: "2.0" } }],
    });
    await must(app, 200, alice, "POST", "/v1/workflows/still_live/publish", {});
    const staging = await app.signedInMember("admin", "staging");
    await must(app, 200, staging, "POST", "/v1/workflows/still_live/publish", { version: 1 });
    await visit(
      "/workflows/still_live",
      async (page) => {
        await page.getByRole("button", { name: "Archive…" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Version 1 is taken out of service in this environment").waitFor();
        await dialog.getByLabel("Why").fill("Replaced.");
        await dialog.getByRole("button", { name: "Archive" }).click();
        await page.getByText("It is still live in staging: archive it there too.").waitFor();
      },
      { key: alice.secret },
    );
  });

  it("warns whoever publishes where nobody could approve", async () => {
    const alice = await app.signedInMember("admin", "production");
    await app.pool.query("update members set roles = roles - 'production' where id <> $1", [alice.memberId]);
    await must(app, 201, alice, "POST", "/v1/workflows", {
      workflow: "alone",
      steps: [{ id: "double", set: { seats: "2.0" } }],
    });
    await visit(
      "/workflows/alone",
      async (page) => {
        await page.getByRole("button", { name: "Publish…" }).first().click();
        await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
        await page.getByText(/Version 1 of alone is live\. Nobody could approve/).waitFor();
      },
      { key: alice.secret },
    );
  });
});

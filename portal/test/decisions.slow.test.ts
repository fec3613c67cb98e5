import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor();

describe("where people decide", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const read = async (path: string) => (await app.call("GET", path)).body;

  it("shows of a trained candidate what it learnt from, how much, and how it did before and after", async () => {
    const examples = Array.from({ length: 60 }, (_, n) => ({
      input: { lead_id: `ld_${1001 + n}` },
      output: { qualified: n % 3 === 0 },
    }));
    const { body: job } = await app.call("POST", "/v1/agents/sales/training", {
      body: { skill: "qualify_lead", examples },
    });
    await expect
      .poll(async () => (await read(`/v1/agents/sales/training/${job.job_id}`)).state, { timeout: 60_000 })
      .toBe("completed");
    const { metrics, examples: counts, version } = await read(`/v1/agents/sales/training/${job.job_id}`);
    const measure = (score: number) => `${(score * 100).toFixed(1)} %`;
    await visit(
      "/agents/sales?tab=versions",
      async (page) => {
        const candidate = page.getByRole("listitem").filter({ hasText: `Version ${version}` });
        const training = candidate.getByRole("region", { name: "Training of qualify_lead" });
        const facts = [
          `Trained on ${counts.train} examples and measured on ${counts.held_out} others: 60 given with the request, in development; each input counts once.`,
          measure(metrics.before),
          measure(metrics.after),
          "with 95 % certainty",
        ];
        for (const fact of facts) expect(await training.innerText()).toContain(fact);
        await candidate.getByText("What changed from version 1").click();
        await candidate.getByText("The definitions are the same, but").waitFor();
        await candidate.getByRole("button", { name: "Deploy" }).click();
        const dialog = page.getByRole("dialog", { name: `Deploy version ${version}` });
        expect(await dialog.innerText()).toContain(facts[0]);
      },
      { key: app.key("admin") },
    );
  });

  it("counts at home every decision that is the reader's, and tells who may decide none what waits and what is stopped", async () => {
    const before = (await read("/v1/approvals?mine=true")).counts.total;
    for (let n = before; n < 10; n += 1) await ask(app);
    const viewer = { key: app.key("viewer") };
    await visit("/", (page) => heading(page, "10 decisions need you"));
    await visit("/", (page) => heading(page, "10 decisions wait for others"), viewer);
    const { body } = await app.call("POST", "/v1/governance/kill-switch", {
      body: { kind: "agent", target: "sales", mode: "pause", reason: "It writes to the wrong people." },
    });
    try {
      await visit("/", (page) => heading(page, "A kill switch is engaged, 10 decisions wait for others"), viewer);
    } finally {
      await app.call("POST", `/v1/governance/kill-switch/${body.kill_switch_id}/release`, {
        body: { to: "released", note: "Mended." },
      });
    }
  });

  it("has the risk in sight on a phone before the button that approves, which never has the focus", async () => {
    const task = await ask(app, { risk_level: "critical" });
    const focused = (page: Page) =>
      page.evaluate<string>("document.activeElement?.closest('button')?.textContent ?? ''");
    await visit(
      `/approvals/${task}`,
      async (page) => {
        const approve = page.getByRole("button", { name: /^Approve/ });
        await approve.waitFor();
        expect(await focused(page)).not.toMatch(/Approve/);
        const button = await approve.boundingBox();
        const risks = await page.getByText("Critical risk", { exact: true }).all();
        const places = await Promise.all(risks.map((risk) => risk.boundingBox()));
        const seen = places.filter(
          (place) => place !== null && place.y >= 0 && place.y + place.height <= (button?.y ?? 0),
        );
        expect(button?.y).toBeLessThan(844);
        expect(seen.length).toBeGreaterThanOrEqual(2); // in the head, and beside the buttons
        await approve.click();
        await page.getByRole("dialog", { name: "Approve at critical risk?" }).waitFor();
        expect(await focused(page)).toBe("Back");
      },
      phone,
    );
  });

  it("leads rows, pages and the window's title with what they are about", async () => {
    const task = await ask(app, {}, { lead_id: "ld_1042" });
    await visit("/approvals", async (page) => {
      const row = page.getByRole("list", { name: "Approvals" }).getByRole("listitem").filter({ hasText: "ld_1042" });
      expect((await row.innerText()).split("\n")[0]).toBe("Qualify lead ld_1042");
      await page.goto(`${app.url}/approvals/${task}`);
      await heading(page, "Qualify lead ld_1042");
      expect(await page.title()).toBe("Pending: Qualify lead ld_1042");
      await page.getByText("sales asks to run qualify_lead. Requested by").waitFor();
      await page.goto(`${app.url}/tasks/${task}`);
      await heading(page, "Qualify lead ld_1042");
      await page.goto(`${app.url}/tasks`);
      await page.getByRole("table", { name: "Tasks" }).getByRole("link", { name: "Qualify lead ld_1042" }).waitFor();
    });
  });

  it("finds in the palette by words, and by no letters of ids that nobody sees", async () => {
    await ask(app, { risk_level: "critical" }, { lead_id: "ld_1043" });
    await visit("/", async (page) => {
      await heading(page, /needs? you/);
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Go to" });
      await palette.getByText("Qualify lead ld_1043").waitFor();
      const input = palette.getByRole("combobox");
      await input.fill("qualify 1043");
      await palette.getByRole("option", { name: /^Qualify lead ld_1043/ }).waitFor();
      expect(await palette.getByRole("option").count()).toBe(1);
      await input.fill("ld_1"); // begins words of titles
      expect(await palette.getByRole("option").count()).toBeGreaterThan(0);
      for (const nothing of ["ld_9", "apr", "tsk", "qfy"]) {
        await input.fill(nothing);
        await palette.getByText("No results.").waitFor();
      }
    });
  });

  it("comes back by itself after an outage in which a page was opened that had never been loaded", async () => {
    await ask(app);
    await visit("/", async (page) => {
      await heading(page, /needs? you/);
      // All of the home page has arrived, its charts too.
      await page.waitForFunction(
        () => document.querySelector("main .animate-pulse[class*=rounded]:not([class*=full])") === null,
      );
      await page.context().setOffline(true);
      await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Webhooks" }).click();
      await page.getByRole("alert").filter({ hasText: "goes on by itself as soon as it answers again" }).waitFor();
      await page.context().setOffline(false);
      await heading(page, "Webhooks");
    });
  });
});

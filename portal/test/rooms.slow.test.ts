import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { type Receiver, startReceiver } from "../../server/src/testing/receiver.ts";
import { useBrowser } from "./browser.fixture.ts";

interface AuditRecord {
  readonly actor: string;
  readonly decision: string;
  readonly commitments: { readonly request: string | null };
  readonly leaf_data: string;
  readonly stages: readonly { readonly verdict: string }[];
}

describe("the rooms", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const admin = { key: "" };
  let receiver: Receiver;
  let mended = false;
  beforeAll(async () => {
    admin.key = app.key("admin");
    receiver = await startReceiver(() => ({ status: mended ? 204 : 503, body: mended ? "" : "closed for lunch" }));
  });
  afterAll(() => receiver.close());

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
  const said = (page: Page, hasText: RegExp) => page.getByRole("status").filter({ hasText }).first().waitFor();
  const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tbody tr");
  const read = async (path: string) => (await app.call("GET", path)).body;

  /** A task that has been carried out, and whose record stands in the log. */
  async function done(lead_id: string): Promise<string> {
    const { task_id, audit_ref } = await app.dispatch({ lead_id, require_approval: false });
    await approveIfAsked(task_id);
    await expect.poll(async () => (await read(`/v1/tasks/${task_id}`)).status, { timeout: 60_000 }).toBe("completed");
    await expect
      .poll(async () => (await read(`/v1/audit/events/${audit_ref}`)).leaf_data, { timeout: 60_000 })
      .not.toBeNull();
    return task_id;
  }
  async function approveIfAsked(task: string): Promise<void> {
    if ((await read(`/v1/tasks/${task}`)).status !== "awaiting_approval") return;
    const answered = await app.call("POST", `/v1/approvals/${task}/approve`, { key: app.key("approver"), body: {} });
    expect(answered.status, answered.text).toBe(200);
  }

  describe("tasks", () => {
    it("lists what fits the filters in its address, and opens one as the line of what happened", async () => {
      const task = await done("ld_1007");
      const { task_id: waiting } = await app.dispatch({ lead_id: "ld_1008" });
      const { data: steps } = await read(`/v1/tasks/${task}/steps`);
      await visit(
        "/tasks",
        async (page) => {
          await rows(page, "Tasks").filter({ hasText: "ld_1008" }).waitFor();
          await page.getByRole("group", { name: "Filter tasks" }).getByText("Completed").click();
          await rows(page, "Tasks").filter({ hasText: "ld_1008" }).waitFor({ state: "detached" });
          await page.reload();
          const row = rows(page, "Tasks").filter({ hasText: "ld_1007" });
          await row.first().waitFor();
          expect(await rows(page, "Tasks").filter({ hasText: "ld_1008" }).count()).toBe(0);
          await row.first().getByRole("link").click();
          await page.waitForURL(`${app.url}/tasks/${task}`);
          const moments = page.getByRole("list", { name: `What happened to ${task}` }).locator("> li");
          await moments.filter({ hasText: "Completed" }).waitFor();
          const titles = (await moments.locator("p.font-medium").allInnerTexts()).map((title) =>
            title.replaceAll("\n", " "),
          );
          const ran = titles.slice(titles.indexOf("Started by a worker") + 1, -1);
          expect(titles[0]).toBe("Accepted");
          expect(titles.at(-1)).toBe("Completed");
          expect(ran).toEqual(
            steps.map(
              (step: { kind: string; name: string }) => `The ${step.kind === "model" ? "model" : "tool"} ${step.name}`,
            ),
          );
          await page.goto(`${app.url}/tasks/${waiting}`);
          await page.getByRole("link", { name: "Open approval" }).waitFor();
        },
        admin,
      );
    });

    it("show every step of a long one to its end", async () => {
      const { task_id } = await app.dispatch({ lead_id: "ld_1015" });
      await app.pool.query(
        `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, output)
         select organization, environment, 'stp_long_' || lpad(n::text, 6, '0'), id, 1, n, 'tool', 'step_' || n, 'finished', '{}', '{}'
         from tasks, generate_series(1, 130) n where tasks.id = $1`,
        [task_id],
      );
      await visit(
        `/tasks/${task_id}`,
        async (page) => {
          const moments = page.getByRole("list", { name: `What happened to ${task_id}` }).locator("> li");
          await moments.filter({ hasText: "The tool step_130" }).waitFor();
          expect(await page.getByText("are shown").count()).toBe(0);
        },
        admin,
      );
    });

    it("offer a viewer what a viewer may do, and ask for nothing that is refused", async () => {
      const { task_id } = await app.dispatch({ lead_id: "ld_1016" });
      await visit(
        `/tasks/${task_id}`,
        async (page) => {
          const refused: string[] = [];
          page.on("response", (response) => void (response.status() === 403 && refused.push(response.url())));
          await page.reload();
          await page.getByText("audit:read").waitFor();
          expect(await page.getByRole("alert").count()).toBe(0);
          expect(await button(page, "Cancel").count()).toBe(0);
          const places = await page
            .getByRole("navigation", { name: "Main navigation" })
            .getByRole("link")
            .allInnerTexts();
          expect([places.includes("Policies"), places.includes("Keys")]).toEqual([true, false]);
          await page.goto(`${app.url}/agents/sales?tab=versions`);
          await page.getByText("Version 1", { exact: true }).waitFor();
          expect(await button(page, /Deploy|Back to/).count()).toBe(0);
          await page.getByRole("tab", { name: "Try it" }).click();
          await page.getByRole("heading", { name: "You may not dispatch tasks" }).waitFor();
          expect(refused).toEqual([]);
        },
        { key: app.key("viewer") },
      );
    });

    it("prove one in the browser, and believe no proof and no record that was changed on the way", async () => {
      const task = await done("ld_1009");
      const { audit_ref } = await read(`/v1/tasks/${task}`);
      const { leaf } = await read(`/v1/audit/events/${audit_ref}`);
      await visit(
        `/tasks/${task}`,
        async (page) => {
          await button(page, "Verify in this browser").click();
          await said(page, /Verified in this browser/);
          expect(await page.getByRole("status").filter({ hasText: "Verified" }).innerText()).toContain(
            `number ${leaf.index} of `,
          );

          await page.route("**/v1/audit/events/*/proof", async (route) => {
            const response = await route.fetch();
            const lines = (await response.text()).split("\n");
            const hash = lines.findIndex((line) => /^[A-Za-z0-9+/]{43}=$/.test(line));
            expect(hash).toBeGreaterThan(0);
            lines[hash] = Buffer.alloc(32, 7).toString("base64");
            await route.fulfill({ response, body: lines.join("\n") });
          });
          await button(page, "Verify in this browser").click();
          await page.getByRole("alert").filter({ hasText: "Not verified" }).waitFor();
          await page.unroute("**/v1/audit/events/*/proof");

          // A leaf that never was, an honest leaf under other verdicts, and an honest record that is another task's.
          const { audit_ref: elsewhere } = await read(`/v1/tasks/${await done("ld_1010")}`);
          const other = await read(`/v1/audit/events/${elsewhere}`);
          const lies: readonly ((record: AuditRecord) => AuditRecord)[] = [
            (record) => ({
              ...record,
              actor: "mbr_x",
              leaf_data: record.leaf_data.replace(/"principal":"[^"]+"/, '"principal":"mbr_x"'),
            }),
            (record) => ({ ...record, stages: record.stages.map((stage) => ({ ...stage, verdict: "deny" })) }),
            (record) => ({ ...record, decision: "refused" }),
            (record) => ({ ...record, commitments: { ...record.commitments, request: null } }),
            () => other,
          ];
          for (const lie of lies) {
            await page.route(`**/v1/audit/events/${audit_ref}`, async (route) => {
              const response = await route.fetch();
              await route.fulfill({ response, json: lie((await response.json()) as AuditRecord) });
            });
            await page.reload();
            await button(page, "Verify in this browser").click();
            await page.getByRole("alert").filter({ hasText: "Not verified" }).waitFor();
            await page.unroute(`**/v1/audit/events/${audit_ref}`);
          }
        },
        admin,
      );
    });
  });

  describe("questions of agents", () => {
    it("need whoever may answer: told at home and in the rail, and an answer is to the question that was shown", async () => {
      const { task_id } = await app.dispatch({ lead_id: "ld_1014" });
      const question = { kind: "answer", text: "Which plan?", options: null, step_id: "stp_first" };
      const asking = { ...(await read(`/v1/tasks/${task_id}`)), status: "input_required", question };
      let asked = { ...asking };
      await visit(
        "/policies",
        async (page) => {
          await page.route(`**/v1/tasks/${task_id}`, (route) => route.fulfill({ json: asked }));
          await page.route("**/v1/tasks?*status=input_required*", (route) =>
            route.fulfill({ json: { data: [asked], has_more: false, next_cursor: null } }),
          );
          await page.goto(app.url);
          await page
            .getByRole("heading", { name: /(^|and )1 question needs? you$|and 1 question need you$/, level: 1 })
            .waitFor();
          await page
            .getByRole("navigation", { name: "Main navigation" })
            .getByRole("link", { name: "Tasks 1 waiting" })
            .waitFor();
          await page.getByRole("link", { name: /Which plan\?/ }).click();
          const answer = page.getByLabel("Your answer");
          await answer.fill("Team");
          asked = { ...asked, question: { ...question, text: "Delete the old one?", step_id: "stp_second" } };
          await page.getByText("Delete the old one?").waitFor();
          expect(await answer.inputValue()).toBe("");
          await answer.fill("No");
          const sent = page.waitForRequest(`**/v1/tasks/${task_id}/input`);
          await button(page, "Answer").click();
          expect((await sent).postDataJSON()).toEqual({ answer: "No", step_id: "stp_second" });
        },
        admin,
      );
    });
  });

  describe("agents", () => {
    it("show what they can be asked for, which version works, what the gate says, and the trust that the service computed", async () => {
      const agent = await read("/v1/agents/sales");
      await visit(
        "/agents?status=archived",
        async (page) => {
          await page.getByText("Change or clear the filters.").waitFor();
          await page.getByRole("link", { name: "All agents" }).click();
          await rows(page, "Agents").getByRole("link", { name: "sales", exact: true }).click();
          await page.getByRole("heading", { name: "sales", level: 1 }).waitFor();
          const text = await page.locator("main").innerText();
          for (const { name } of agent.definition.skills) expect(text).toContain(name);
          expect(text).toContain(`version ${agent.deployment.version}`);
          expect(text).toMatch(/Version 1: (it may act|approval is required before it acts|it may not act)\./);
          await page.getByRole("tab", { name: "Trust" }).click();
          await page.getByText("What would raise it").first().waitFor();
          const trust = await read("/v1/agents/sales/trust");
          const part = (share: number) => `${Math.round(share * 100)} %`;
          for (const { skill, score, low, high } of trust.skills) {
            const card = page.locator("section", { has: page.getByRole("heading", { name: skill, exact: true }) });
            await card
              .getByRole("img", { name: `Trust ${part(score)}, between ${part(low)} and ${part(high)}` })
              .waitFor();
          }
        },
        admin,
      );
    });

    it("are paused by two at once, and not set to work again by the one who was slower", async () => {
      await visit(
        "/agents/sales",
        async (page) => {
          await button(page, "Pause").click();
          const dialog = page.getByRole("dialog", { name: "Pause sales" });
          await dialog.getByLabel("Why").fill("It writes to the wrong people.");
          await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "Its playbook is wrong." } });
          await page.getByText("Takes no work since").waitFor();
          await dialog.getByLabel("Why").press("Enter");
          await said(page, /^sales takes no work\.$/);
          expect((await read("/v1/agents/sales")).paused).toMatchObject({ reason: "It writes to the wrong people." });
        },
        admin,
      );
      await app.call("POST", "/v1/agents/sales/resume", { body: { note: "Mended." } });
    });

    it("are tried by a form of the skill's own input: judged without any change, refused at the field, and carried out", async () => {
      const before = (await read("/v1/tasks?limit=100")).data.length;
      await visit(
        "/agents/sales?tab=try",
        async (page) => {
          await page.getByLabel("Skill").selectOption("qualify_lead");
          await page.getByLabel("lead_id").fill("1001");
          await button(page, "Dispatch task").click();
          await page
            .locator("[role=alert][id$=-fault]")
            .filter({ hasText: /ld_|pattern/ })
            .waitFor();
          expect(await page.getByLabel("lead_id").getAttribute("aria-invalid")).toBe("true");
          await page.getByLabel("lead_id").fill("ld_1011");
          await button(page, "Dry run").click();
          await page.getByRole("heading", { name: "Dry run" }).waitFor();
          expect((await read("/v1/tasks?limit=100")).data.length).toBe(before);
          await button(page, "Dispatch task").click();
          const link = page.getByRole("link", { name: "All steps and proof" });
          await link.waitFor();
          await approveIfAsked((await link.getAttribute("href"))?.split("/").at(-1) as string);
          const output = page.getByRole("table", { name: "Output" });
          await output.waitFor();
          const { output: stored } = await read(`/v1/tasks/${(await link.getAttribute("href"))?.split("/").at(-1)}`);
          expect(await output.locator("tr").count()).toBeGreaterThanOrEqual(Object.keys(stored).length);
        },
        admin,
      );
    });
  });

  it("agents: what works is shown and tried as its version says, while the draft is another, which is said", async () => {
    const { body, headers } = await app.call("GET", "/v1/agents/sales");
    const [skill, ...others] = body.definition.skills;
    const etag = { "if-match": headers.get("etag") as string };
    const changed = await app.call("PATCH", "/v1/agents/sales", {
      headers: etag,
      body: { skills: [{ ...skill, name: "only_in_the_draft" }, ...others] },
    });
    expect(changed.status, changed.text).toBe(200);
    await visit(
      "/agents",
      async (page) => {
        const row = rows(page, "Agents").filter({ hasText: "sales" });
        await row.getByText(skill.name).waitFor();
        expect(await row.innerText()).not.toContain("only_in_the_draft");
        await row.getByRole("link", { name: "sales", exact: true }).click();
        await page.getByText(/The draft differs from version 1/).waitFor();
        expect(await page.locator("main").innerText()).not.toContain("only_in_the_draft");
        await page.getByRole("tab", { name: "Try it" }).click();
        expect(await page.getByLabel("Skill").locator("option").allInnerTexts()).toEqual(
          [skill, ...others].map(({ name }) => name),
        );
      },
      admin,
    );
  });

  it("policies: a fault is shown in its place, nothing is kept of it, and what was mended decides from then on", async () => {
    await visit(
      "/policies",
      async (page) => {
        const before = (await read("/v1/governance/policies")).data.length;
        await button(page, /^New policy/).click();
        const dialog = page.getByRole("dialog", { name: "New policy" });
        await dialog.getByLabel("Name").fill("Not this lead");
        await dialog.getByLabel("Reason code").fill("not_this_lead");
        await dialog.getByLabel("Message").fill("This lead is not to be touched.");
        const when = dialog.getByLabel("When", { exact: true });
        await when.fill('has(input.lead_id) &&\n  input.lead_id === "ld_1020"');
        await button(page, "Activate").click();
        await dialog.locator("pre").filter({ hasText: "▲" }).waitFor();
        expect(await when.getAttribute("aria-invalid")).toBe("true");
        const [line = "", mark = ""] = (await dialog.locator("pre").innerText()).split("\n");
        const at = await when.evaluate((box: unknown) => (box as { selectionStart: number }).selectionStart);
        expect(line).toBe('  input.lead_id === "ld_1020"');
        expect(at - "has(input.lead_id) &&\n".length).toBe(mark.indexOf("▲"));
        expect(line.slice(mark.indexOf("▲"))).toMatch(/^=/);
        expect((await read("/v1/governance/policies")).data.length).toBe(before);

        await when.fill('has(input.lead_id) &&\n  input.lead_id == "ld_1020"');
        await button(page, "Activate").click();
        await page.getByRole("heading", { name: "Not this lead", level: 1 }).waitFor();
        await page.getByRole("tab", { name: "Findings" }).click();
        await page.getByRole("tabpanel").waitFor();
        const refused = await app.call("POST", "/v1/agents/sales/tasks", {
          body: { task: "qualify_lead", lead_id: "ld_1020" },
        });
        expect([refused.status, refused.body.code]).toEqual([403, "policy_blocked"]);
        await page.getByRole("tabpanel").getByText("refused").first().waitFor();

        // Somebody else writes the next version while the form stands open.
        await page.getByRole("button", { name: "Change", exact: true }).click();
        const next = page.getByRole("dialog", { name: "Next version of “Not this lead”" });
        await next.getByLabel("Message").fill("Never touch this lead.");
        const policy = page.url().split("/").at(-1)?.split("?")[0];
        const { headers, body } = await app.call("GET", `/v1/governance/policies/${policy}`);
        const { scope, when: condition, effect, reason_code, message } = body;
        const other = await app.call("PUT", `/v1/governance/policies/${policy}`, {
          headers: { "If-Match": headers.get("etag") ?? "" },
          body: { name: "Hands off", scope, when: condition, effect, reason_code, message, state: "active" },
        });
        expect(other.status, other.text).toBe(200);
        // As when one comes back to the window: what it shows is read again.
        await expect
          .poll(
            async () => {
              await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
              return await page.locator("h1").innerText();
            },
            { timeout: 60_000 },
          )
          .toBe("Hands off");
        await next.getByRole("button", { name: "Activate" }).click();
        await next.getByRole("alert").waitFor();
        expect(await next.getByLabel("Message").inputValue()).toBe("Never touch this lead.");
        expect((await read(`/v1/governance/policies/${policy}`)).name).toBe("Hands off");
      },
      admin,
    );
  });

  it("keys: one is shown once, works until it is revoked, and is nowhere in the page after", async () => {
    await visit(
      "/keys",
      async (page) => {
        await button(page, /^New key/).click();
        const form = page.getByRole("dialog", { name: "New key" });
        await form.getByLabel("Name").fill("Order import");
        await form.getByLabel("Role").selectOption("viewer");
        await form.getByLabel("Service account").fill("order-import");
        await button(page, "Create key").click();
        const shown = page.getByRole("dialog", { name: "Key “Order import”" });
        const key = (await shown.getByRole("group", { name: "key" }).innerText()).trim();
        const whoami = async () => await app.call("GET", "/v1/admin/whoami", { key });
        expect((await whoami()).body).toMatchObject({ principal: { role: "viewer" }, environment: "development" });
        await page.keyboard.press("Escape");
        expect(await shown.isVisible()).toBe(true);
        expect(await button(page, "Done").isDisabled()).toBe(true);
        await shown.getByLabel("I have saved it securely").check();
        await button(page, "Done").click();
        const row = rows(page, "Keys").filter({ hasText: "Order import" });
        await row.getByText("service account").waitFor();
        expect(await page.content()).not.toContain(key);

        await row.getByRole("button", { name: "Revoke Order import" }).click();
        await page
          .getByRole("dialog", { name: "Revoke “Order import”" })
          .getByRole("button", { name: "Revoke" })
          .click();
        await said(page, /^Order import is revoked\.$/);
        await row.waitFor({ state: "detached" });
        expect((await whoami()).status).toBe(401);
        await page.getByRole("group", { name: "Filter keys" }).getByText("Revoked").click();
        await rows(page, "Keys").filter({ hasText: "Order import" }).waitFor();
      },
      admin,
    );
  });

  it("webhooks: an endpoint is made, what it refused is told with its answer, and is sent again when it is mended", async () => {
    await visit(
      "/webhooks",
      async (page) => {
        await button(page, /^New endpoint/).click();
        const form = page.getByRole("dialog", { name: "New endpoint" });
        await form.getByLabel("Address").fill(`${receiver.url}/orders`);
        await button(page, "Subscribe").click();
        const secret = page.getByRole("dialog", { name: "Endpoint secret" });
        expect(await secret.getByRole("group", { name: "secret" }).innerText()).toMatch(/^whsec_/);
        const keepIt = async (shown: Locator) => {
          await shown.waitFor();
          // A browser lets a page refuse the first of two, and not the second.
          for (const _press of [1, 2]) await page.keyboard.press("Escape");
          await shown.getByLabel("I have saved it securely").check();
          await shown.getByRole("button", { name: "Done" }).click();
        };
        await keepIt(secret);
        await page.getByRole("link", { name: `${receiver.url}/orders` }).click();
        await page.getByRole("heading", { name: "No deliveries yet" }).waitFor();
        await button(page, "New secret").click();
        await button(page, "Rotate secret").click();
        await keepIt(page.getByRole("dialog", { name: "New secret" }));
        await page.getByRole("group", { name: "Filter deliveries" }).getByText("Given up").click();
        await page.getByText("Change or clear the filters.").waitFor();
        await page.getByRole("link", { name: "All deliveries" }).click();
        mended = false;
        const { task_id } = await app.dispatch({ lead_id: "ld_1012" });
        const row = rows(page, "Deliveries").filter({ hasText: "task.approval_required" });
        await row.getByText("responded 503").waitFor();
        await row.getByText("Retry scheduled").waitFor();
        await page.getByText(/^Failing since .*: it responded 503, and \d+ deliver(y waits|ies wait)\./).waitFor();
        await page.getByText(/^Failing, \d+ waiting$/).waitFor();
        await row.getByRole("button").click();
        const dialog = page.getByRole("dialog", { name: "Delivery" });
        const attempts = dialog.getByRole("list", { name: "Attempts" }).locator("> li");
        await attempts.getByText("closed for lunch").first().waitFor();
        expect(await dialog.getByRole("group", { name: "request body" }).innerText()).toContain(task_id);
        mended = true;
        await dialog.getByRole("button", { name: "Send again" }).click();
        await dialog.getByText("Delivered").waitFor();
        await attempts.filter({ hasText: "204" }).first().waitFor();
        await dialog.getByRole("button", { name: "Close" }).click();
        await row.getByText("Delivered").waitFor();
      },
      admin,
    );
    expect(receiver.at("/orders").length).toBeGreaterThanOrEqual(2);
  });

  it("belong to the environment of the session, which the frame names, and the help says how to get to another", async () => {
    const { task_id } = await app.dispatch({ lead_id: "ld_1013" });
    await visit(
      `/tasks/${task_id}`,
      async (page) => {
        await page.getByRole("heading", { name: "Not found here" }).waitFor();
        await button(page, "Environment: staging").click();
        const dialog = page.getByRole("dialog", { name: "You are in staging" });
        expect(await dialog.innerText()).toContain("bin/aos link --environment production");
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        await page
          .getByRole("dialog", { name: "Help and shortcuts" })
          .getByRole("link", { name: "Sign in to another environment" })
          .click();
        await page.getByLabel("Your key").fill(app.key("viewer", "production"));
        await button(page, "Sign in").click();
        await button(page, "Environment: production").waitFor();
      },
      { key: app.key("viewer", "staging") },
    );
  });
});

import { describe, expect, it } from "vitest";
import { ask, endAt } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe("working on an approval together", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);

  it.each([
    ["on a wide screen", {}],
    ["on a phone", phone],
  ])(
    "claims it, gives it more time, asks a colleague, and shows similar cases and the history, %s",
    async (_where, screen) => {
      const [one, other] = [await app.member("approver"), await app.member("approver")];
      await app.pool.query("update members set name = 'Ada Asks' where id = $1", [one.memberId]);
      await app.pool.query("update members set name = 'Cora Colleague' where id = $1", [other.memberId]);
      const before = await ask(app);
      await app.call("POST", `/v1/approvals/${before}/reject`, { body: { reason: "Left this market." } });
      const task = await ask(app);
      const hour = 3_600_000;
      await endAt(app, task, new Date(Date.now() + hour), "reject", new Date(Date.now() - hour));
      await visit(
        `/approvals/${task}`,
        async (page) => {
          await page.getByRole("button", { name: "Claim" }).click();
          await page.getByText("You claimed it; that lapses").locator("visible=true").waitFor();
          await page.getByRole("button", { name: "More time…" }).click();
          const more = page.getByRole("dialog", { name: "Give it more time" });
          await more.getByLabel("How much").selectOption({ label: "A day" });
          await more.getByLabel("Why").fill("They call back at noon.");
          await more.getByRole("button", { name: "Extend" }).click();
          await more.getByText("is more than is left of the 7200 seconds").waitFor();
          await more.getByLabel("How much").selectOption({ label: "An hour" });
          await more.getByRole("button", { name: "Extend" }).click();
          await more.waitFor({ state: "detached" });
          await page.getByLabel("Mention").selectOption({ label: "Cora Colleague" });
          await page.getByLabel("Comment", { exact: true }).fill("is this one of yours?");
          await page.getByRole("button", { name: "Comment" }).click();
          await page.getByText("@Cora Colleague is this one of yours?").first().waitFor();
          await page.getByText("How like cases were decided, and what came of them").click();
          await page.getByText("“Left this market.”").first().waitFor();
          await page.getByText("Views, votes, claims, comments and the rest").click();
          const history = page.getByRole("list", { name: "History" });
          for (const text of ["Claimed by Ada Asks", "Extended by Ada Asks", "Commented by Ada Asks"])
            await history.getByText(text).first().waitFor();
          await history.getByText("@Cora Colleague is this one of yours?").waitFor();
        },
        { ...screen, key: one.secret, tolerates: /422/ },
      );
      await visit(
        "/approvals?view=everything",
        async (page) => {
          const row = page.getByRole("listitem").filter({ hasText: "is this one of yours?" });
          await row.getByText("Mention", { exact: true }).waitFor();
          await row.getByRole("link").click();
          await page.getByText("Ada Asks claimed it; that lapses").locator("visible=true").waitFor();
          expect(await page.getByRole("button", { name: "Claim" }).count()).toBe(0);
        },
        { ...screen, key: other.secret },
      );
    },
  );
});

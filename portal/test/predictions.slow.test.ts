import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { leaseOn } from "../../server/src/testing/tasks.ts";
import { useWorkerProcess } from "../../server/src/testing/worker.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the page of a task", () => {
  const app = useApp();
  const worker = useWorkerProcess(app);
  const visit = useBrowser(app);

  it("shows what the model held possible, the likeliest first, with none of these", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    const lease = leaseOn(app, task_id);
    await worker.port.start(lease);
    const predictions = {
      "/qualified": [
        { value: true, probability: 0.9 },
        { value: false, probability: 0.06 },
        { value: null, probability: 0.04, none: true as const },
      ],
    };
    await worker.port.complete(lease, { qualified: true }, {}, predictions);
    await visit(`/tasks/${task_id}`, async (page) => {
      const field = page.getByRole("region", { name: "Probabilities of /qualified" });
      await field.waitFor();
      expect(await field.getByRole("listitem").allInnerTexts()).toEqual([
        expect.stringMatching(/^true\s+90 %$/),
        expect.stringMatching(/^false\s+6 %$/),
        expect.stringMatching(/^none of these\s+4 %$/),
      ]);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
    });
  });
});

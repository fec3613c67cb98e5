import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { begin, publish } from "../control.fixture.ts";

const app = useSharedApp();
const idsOf = (answer: { body: { data: { run_id: string }[] } }) => answer.body.data.map(({ run_id }) => run_id);

it("lists a workflow's runs newest first, and those of all workflows by filters", async () => {
  const [one, other] = [await publish(app, {}), await publish(app, {})];
  const first = await begin(app, one, { key: "k1", labels: ["red"] });
  const second = await begin(app, one);
  const third = await begin(app, other);
  expect(idsOf(await app.call("GET", `/v1/workflows/${one}/runs`))).toEqual([second.run_id, first.run_id]);
  const all = (query: string) => app.call("GET", `/v1/workflows/runs?${query}`);
  expect(idsOf(await all(`workflow=${one},${other}`))).toEqual([third.run_id, second.run_id, first.run_id]);
  expect(idsOf(await all("key=k1&label=red&status=queued&trigger=manual"))).toEqual([first.run_id]);
  expect(idsOf(await all(`workflow=${one}&status=completed`))).toEqual([]);
});

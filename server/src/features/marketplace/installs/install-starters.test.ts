import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { contentsIn, starterFiles, starterNames } from "../marketplace.fixture.ts";
import { installed } from "./installs.fixture.ts";

const app = useSharedApp();
const one = async (path: string) => (await app.call("GET", path)).body;

it.each(starterNames())("installs the starter %s: every part is there, and nothing ran", async (name) => {
  const files = starterFiles(name);
  const contents = contentsIn(files);
  const { install, suffix } = await installed(app, files);
  const count = (kind: string) => install.parts.filter((part) => part.kind === kind && part.state === "made").length;
  const { training, datasets, scorers, bases, policies } = contents;
  expect(["dataset", "scorer", "knowledge_base", "policy", "gate", "agent_version"].map(count)).toEqual([
    training.length + datasets.length,
    scorers.length,
    bases.length,
    policies.length,
    1,
    1,
  ]);
  const agent = `${contents.agent?.agent}${suffix}`;
  const shown = await one(`/v1/agents/${agent}`);
  expect([shown.status, shown.deployment]).toEqual(["draft", null]);
  expect((await one(`/v1/agents/${agent}/versions/1`)).version).toBe(1);
  for (const { kind, id } of install.parts)
    if (kind === "policy") expect((await one(`/v1/governance/policies/${id}`)).state).toBe("draft");
  const { rows } = await app.pool.query(
    "select name, (coverage ->> 'items')::int as items from datasets where agent = $1 and name not like '%-training' order by name",
    [agent],
  );
  expect(rows).toEqual(
    datasets
      .map(({ name: set, items }) => ({ name: set + suffix, items: items.length }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
  const [{ tasks, runs, jobs }] = (
    await app.pool.query(
      "select (select count(*) from tasks where agent = $1)::int as tasks, (select count(*) from evaluation_runs)::int as runs, (select count(*) from training_jobs)::int as jobs",
      [agent],
    )
  ).rows;
  expect([tasks, runs, jobs]).toEqual([0, 0, 0]);
});

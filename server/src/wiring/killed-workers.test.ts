import { expect, it } from "vitest";
import { jobs, sweeps } from "../features/index.ts";
import { arrangements } from "./killed-workers.fixture.ts";

it("knows for every kind of job how work of it is asked for, so that the slow test kills a worker in the middle of it", () => {
  expect(Object.keys(arrangements).sort()).toEqual(["run_task", ...jobs.map(({ name }) => name)].sort());
});

it("has a sweep for every kind of job, or a reason why it needs none", () => {
  for (const { name, sweep } of jobs)
    if ("run" in sweep) expect(sweeps, name).toContain(sweep);
    else expect(sweep.reason.length, name).toBeGreaterThan(20);
});

import { expect, it } from "vitest";
import { torture } from "./torture.ts";

/** `npm run torture` does the same for longer. The seed is fixed, so that two runs do the same as far as timing allows. */
const options = {
  seed: 1,
  kills: 3,
  pauses: 1,
  pauseMs: 8_000,
  terminations: 4,
  loadMs: 30_000,
  clients: 6,
  restMs: 500,
  quietMs: 60_000,
  keep: false,
};

it("loses, doubles and forgets nothing that was acknowledged, in an installation of four processes under blows", {
  timeout: 600_000,
}, async () => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const [, major, folder] = /^(\d+):(.+)$/.exec(process.env.TEST_POSTGRES_PROGRAMS ?? "") ?? [];
  const programs = folder === undefined ? undefined : { folder, major: Number(major), release: String(major) };
  const findings = await torture({ ...options, programs, say });
  expect(findings, lines.join("\n")).toEqual([]);
});

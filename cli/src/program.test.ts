import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { unknownCommand } from "./operations/commands.ts";
import { editDistance } from "./suggest.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function aos(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync("sh", [`${root}/bin/aos`, ...args], {
    cwd: "/",
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

describe("the command line", () => {
  it("lists every command", () => {
    const { stdout } = aos(["help"]);
    for (const { usage, summary } of COMMANDS)
      expect(stdout).toMatch(new RegExp(`aos ${usage.replace(/[[\]|<>]/g, "\\$&")} +${summary}`));
  });

  it.each([
    ["strat", "aos start"],
    ["conf", "aos config"],
    ["keys creat", "aos keys create"],
    ["key create", "aos keys create"],
    ["audit verfy log.json", "aos audit verify"],
    ["taks list", "aos tasks list"],
    ["tasks lst", "aos tasks list"],
    ["governance polices create", "aos governance policies create"],
    ["knowledge documents add", "aos knowledge bases documents add"],
    ["documents add orders", "aos knowledge bases documents add"],
    ["documents", "aos knowledge bases documents"],
    ["kill-switches", "aos governance kill-switch list"],
    ["agents kill-switches", "aos governance kill-switch list"],
    ["kill-switch list", "aos governance kill-switch list"],
    ["listen", "aos webhooks listen"],
    ["watch tsk_1", "aos tasks watch"],
    ["dispatch sales qualify_lead", "aos tasks dispatch"],
    ["gates get sales", "aos evaluations gates get"],
    ["list tasks", "aos tasks list"],
    ["deploy sales", "aos agents deploy"],
    ["runs start", "aos evaluations runs start"],
    ["create policy", "aos governance policies create"],
  ])("suggests the nearest command for %j", (typed, suggestion) => {
    expect(unknownCommand(typed.split(" "))).toContain(`Did you mean "${suggestion}"?`);
  });

  it("says what is missing where a group is named whose beginning is a command", () => {
    const { status, stdout, stderr } = aos(["knowledge", "bases", "sync", "handbook"]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('Did you mean "aos knowledge bases sync start <base>"?');
    expect(aos(["knowledge", "bases", "sync"]).stdout).toMatch(/^Usage: aos knowledge bases sync \[/);
  });

  it("suggests nothing where nothing is near", () => {
    expect(unknownCommand(["blueberry"])).toBe('Unknown command "aos blueberry". "aos help" lists the commands.');
  });

  it("runs from any folder, and answers its version", () => {
    expect(aos(["--version"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("fails on an unknown command", () => {
    expect(aos(["confg"])).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining('Did you mean "aos config"?'),
    });
  });

  it.each([
    ["start", ["start", "--help"]],
    ["start", ["start", "-h"]],
    ["config", ["config", "--json", "--help"]],
    ["keys create", ["keys", "create", "--help"]],
    ["audit verify", ["audit", "verify", "log.jsonl", "--help"]],
  ])("shows the usage of aos %s instead of running it", (command, args) => {
    const { status, stdout, stderr } = aos(args, { AOS_PORT: "x" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Usage: aos ${command}\\b`));
  });

  it("shows what a command does with its usage", () => {
    expect(aos(["config", "--help"]).stdout).toMatch(
      /^Usage: aos config \[options\]\n\nShow all settings with their current values\.\n/,
    );
  });

  it("passes the exit code of a command on", () => {
    expect(aos(["config"], { AOS_PORT: "x" })).toMatchObject({
      status: 1,
      stderr: 'AOS_PORT is "x"; it must be a whole number from 0 to 65535.\n',
    });
  });
});

describe("the distance between two words", () => {
  it("counts a swap of neighbours once", () => {
    expect(editDistance("strat", "start")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
  });

  it("is zero for the same word only, symmetric, and at most the longer length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

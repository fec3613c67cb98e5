import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../server/src/testing/shared-app.ts";
import { COMMANDS } from "./commands.ts";
import { candidatesFor } from "./complete.ts";
import { refreshNames } from "./complete-names.ts";
import { operationCommands } from "./operations/commands.ts";
import { runAos, useFolder } from "./process.fixture.ts";

const bin = fileURLToPath(new URL("../../bin", import.meta.url));
const app = useSharedApp();
const folder = useFolder();
const words = async (...typed: string[]): Promise<string[]> =>
  (await candidatesFor(typed)).candidates.map(({ word }) => word);

describe("completion", () => {
  it("leads to every command, word by word", async () => {
    const next = new Map<string, Set<string>>();
    for (const command of [...COMMANDS, ...operationCommands()]) {
      for (const [index, word] of command.words.entries()) {
        const typed = [...command.words.slice(0, index), word.slice(0, 1)].join(" ");
        next.set(typed, (next.get(typed) ?? new Set()).add(word));
      }
    }
    for (const [typed, expected] of next)
      expect(await words(...typed.split(" ")), typed).toEqual(expect.arrayContaining([...expected]));
  });

  it.each([
    [["tas"], ["tasks"]],
    [["governance", "pol"], ["policies"]],
    [
      ["agents", "versions", ""],
      ["freeze", "get", "list"],
    ],
    [["--profile", "live", "knowledge", "ba"], ["bases"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["tasks", "list", "--stat"], ["--status"]],
    [["tasks", "list", "--status", "que"], ["queued"]],
    [["tasks", "list", "--status=que"], ["--status=queued"]],
    [["tasks", "list", "--status", "queued,run"], ["queued,running"]],
    [["tasks", "list", "--status", "=", "que"], ["queued"]],
    [["governance", "policies", "create", "--effect", "den"], ["deny"]],
    [["tasks", "dispatch", "sales", "qualify_lead", "--requ"], ["--require-approval"]],
    [["webhooks", "listen", "--format", "s"], ["standard"]],
    [["trigger", "--web"], ["--webhook"]],
  ])("of %j is %j", async (typed, expected) => {
    expect((await words(...typed)).sort()).toEqual(expected);
  });

  it("offers agents, skills and ids of the service, and waits for it no longer than a moment", async () => {
    const env = { AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path };
    const offered = async (...typed: string[]) => (await candidatesFor(typed, env)).candidates.map(({ word }) => word);
    await refreshNames(["agent", ""], env);
    await refreshNames(["skill", "", "sales"], env);
    expect(await offered("agents", "get", "")).toContain("sales");
    expect(await offered("tasks", "dispatch", "sa")).toEqual(["sales"]);
    expect(await offered("tasks", "dispatch", "sales", "qual")).toEqual(["qualify_lead"]);
    expect(await offered("tasks", "list", "--agent", "sa")).toEqual(["sales"]);
    expect(await offered("--profile", "nobody", "tasks", "dispatch", "")).toEqual([
      ...(await offered("agents", "get", "")),
    ]);
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const began = performance.now();
    const nothing = await candidatesFor(["agents", "get", ""], { ...env, AOS_URL: `http://127.0.0.1:${port}` });
    silent.closeAllConnections();
    silent.close();
    expect([nothing.candidates, performance.now() - began < 2_000]).toEqual([[], true]);
  });

  it("offers files where a file is wanted", async () => {
    expect((await candidatesFor(["governance", "policies", "create", "-f", "pol"])).files).toBe(true);
    expect((await candidatesFor(["agents", "apply", "--file", ""])).files).toBe(true);
    expect((await candidatesFor(["tasks", "list", "--status", ""])).files).toBe(false);
  });

  it("exists for bash, zsh and fish alone", async () => {
    expect(await runAos(["completion", "tcsh"], {})).toEqual({
      status: 1,
      out: "",
      err: expect.stringContaining("bash, zsh, fish"),
    });
  });
});

const installed = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** A shell without a person: its own completion is asked what it would offer for a line. */
const shells: Readonly<Record<string, (script: string, line: readonly string[]) => string>> = {
  bash: (script, line) => {
    const text = `source ${script}
compopt() { :; }
COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}
_aos
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", text], { encoding: "utf8", cwd: folder.path, env: withAos() });
  },
  fish: (script, line) =>
    execFileSync("fish", ["--no-config", "-c", `source ${script}; complete -C '${line.join(" ")}'`], {
      encoding: "utf8",
      cwd: folder.path,
      env: withAos(),
    }),
  zsh: (script, line) => {
    // What _describe and _files would be given is printed; the rest is zsh's own.
    const text = `compdef() { :; }; _describe() { print -l -- "\${(@)shown}"; }; _files() { print -l -- *; }
source ${script}
words=(${line.map((word) => `'${word}'`).join(" ")}); CURRENT=${line.length}
_aos`;
    return execFileSync("zsh", ["-f", "-c", text], { encoding: "utf8", cwd: folder.path, env: withAos() });
  },
};
const withAos = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${bin}:${process.env.PATH}` });

describe.each(Object.keys(shells).filter(installed))("the script for %s", (shell) => {
  const offered = async (...line: string[]): Promise<string> => {
    const script = `${folder.path}/completion.${shell}`;
    const { status, out } = await runAos(["completion", shell], {});
    expect(status).toBe(0);
    writeFileSync(script, out);
    writeFileSync(`${folder.path}/policy.yaml`, "name: x\n");
    return shells[shell]?.(script, ["aos", ...line]) ?? "";
  };

  it("completes commands, options, their values and files", async () => {
    expect(await offered("governance", "pol")).toMatch(/^policies\b/m);
    expect(await offered("tasks", "list", "--sta")).toMatch(/^--status\b/m);
    expect(await offered("tasks", "list", "--status", "awai")).toMatch(/^awaiting_approval\b/m);
    expect(await offered("governance", "policies", "create", "-f", "pol")).toMatch(/^policy\.yaml$/m);
  });
});

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Misunderstood, readArguments, type WantedOperation } from "./new-operation/arguments.ts";
import { arranged, registered, tabled } from "./new-operation/write.ts";

const root = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const known = [{ id: "tasks.readTask", method: "GET", path: "/v1/tasks/{task}" }];
const read = (...args: string[]): WantedOperation => readArguments(args, { root, known });
const decided = [
  "--permission",
  "tasks:read",
  "--gate",
  "exempt:reads, makes no agent act",
  "--action",
  "task.read",
  "--list",
  "surface",
];
const complaint = (...args: string[]): string => {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof Misunderstood) return error.message;
    throw error;
  }
  throw new Error("was understood");
};

describe("the arguments of a new operation", () => {
  it("say what it is and how each stage treats it", () => {
    expect(read("tasks.readTaskTrust", "GET", "/v1/tasks/{task}/trust", ...decided)).toEqual({
      id: "tasks.readTaskTrust",
      group: "tasks",
      name: "readTaskTrust",
      method: "GET",
      path: "/v1/tasks/{task}/trust",
      parameters: ["task"],
      summary: "Read task trust",
      permission: { value: "tasks:read" },
      gate: { exempt: "reads, makes no agent act" },
      action: { value: "task.read" },
      list: "surface",
    });
  });

  it.each([
    [[], "Say id, method and path"],
    [["readTask", "GET", "/v1/x"], "readTask is no id"],
    [["nothing.readTask", "GET", "/v1/x"], "There is no group nothing"],
    [["tasks.readIt", "FETCH", "/v1/x"], "FETCH is no method"],
    [["tasks.readIt", "GET", "/tasks"], "/tasks is no path"],
    [["tasks.readTask", "GET", "/v1/other"], "tasks.readTask has this id already"],
    [["tasks.readIt", "GET", "/v1/tasks/{other}"], "tasks.readTask has this address already"],
    [["tasks.readIt", "GET", "/v1/x", "--colour", "red"], "--colour"],
  ])("%j are refused: %s", (args, words) => {
    expect(complaint(...args, ...decided)).toContain(words);
  });

  it.each(["permission", "gate", "action"])("are refused where --%s was not decided, or not in its form", (stage) => {
    const at = decided.indexOf(`--${stage}`);
    expect(complaint("tasks.readIt", "GET", "/v1/x", ...decided.toSpliced(at, 2))).toContain(`Decide --${stage}`);
    expect(complaint("tasks.readIt", "GET", "/v1/x", ...decided.with(at + 1, "exempt:"))).toContain(`--${stage} is`);
    expect(complaint("tasks.readIt", "GET", "/v1/x", ...decided.with(at + 1, "yes"))).toContain(`--${stage} is`);
  });

  it("are refused where a group has several lists and none was said", () => {
    expect(complaint("tasks.readIt", "GET", "/v1/x", ...decided.slice(0, -2))).toBe(
      "Say --list: feedback or stops or surface.",
    );
  });
});

describe("the entries of a new operation", () => {
  const wanted = read("tasks.readIt", "GET", "/v1/tasks/{task}/it", ...decided);

  it("are added to a list, whether it has some or none, and whether it needs a port", () => {
    expect(registered("export const operations: readonly Operation[] = [];", "readIt", "read-it")).toContain(
      "= [readIt];",
    );
    expect(registered("export const operations: readonly Operation[] = [\n  one,\n];", "readIt", "read-it")).toContain(
      "= [one, readIt];",
    );
    const overPort = "export const createOperations = (port: Port): readonly Operation[] => [one(port)];";
    expect(registered(overPort, "readIt", "read-it")).toContain("[one(port), readIt];");
    expect(registered("export const other = 1;", "readIt", "read-it")).toBeUndefined();
  });

  it("are added to the arrangements, with what they need", () => {
    const text = arranged(
      'import { type Arrangements, nothing } from "./arranged.ts";\n\nexport const arrange: Arrangements = {\n  "a.b": nothing,\n};\n',
      wanted,
    );
    expect(text).toContain('import { waitingTask } from "./arranged.ts";');
    expect(text).toMatch(
      /"a.b": nothing,\n {2}"tasks.readIt": async \(app, environment\) => .*waitingTask\(app, environment\).*,\n\};/,
    );
  });

  it("are added behind arrangements that have steps of their own, and where there is none yet", () => {
    const steps = '  "a.b": async () => {\n    return { params: {} };\n  },\n  "a.c": nothing,\n';
    const text = arranged(
      `import { nothing } from "./arranged.ts";\n\nexport const arrange: Arrangements = {\n${steps}};\n`,
      wanted,
    );
    expect(text).toContain(`${steps}  "tasks.readIt": `);
    expect(arranged("export const arrange: Arrangements = {};\n", wanted)).toMatch(
      /= \{\n {2}"tasks.readIt": .*,\n\};\n$/,
    );
  });

  it("are added to the table of roles as they are now", () => {
    const page = "| Operation | Permission |\n|---|---|\n| `tasks.zero` | … |\n";
    expect(tabled(page, wanted)).toBe(
      page.replace("| `tasks.zero`", "| `tasks.readIt` | `tasks:read` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ |\n| `tasks.zero`"),
    );
  });
});

describe("what is written", () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(path.join(tmpdir(), "aos-new-operation-"));
    const skip = /(^|\/)(node_modules|\.git|\.aos[^/]*)$/;
    await cp(root, copy, { recursive: true, filter: (file) => !skip.test(path.relative(root, file)) });
    await symlink(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  }, 120_000);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  const newOperation = (...args: string[]) =>
    run(process.execPath, [path.join(copy, "scripts/new-operation.ts"), ...args], { cwd: copy });

  it("compiles, for a read of something and for a change, and is registered", async () => {
    const [read, change] = [
      "server/src/features/tasks/operations/probe-task",
      "server/src/features/tasks/operations/probe-everything",
    ];
    const told = await newOperation("tasks.probeTask", "GET", "/v1/tasks/{task}/probe", ...decided);
    expect(told.stdout).toContain(`wrote ${read}.ts\nwrote ${read}.test.ts`);
    await newOperation(
      "tasks.probeEverything",
      "POST",
      "/v1/tasks/probes",
      ...decided.with(decided.indexOf("--action") + 1, "exempt:touches nothing that policies know"),
    );
    const files = [
      `${read}.ts`,
      `${read}.test.ts`,
      `${change}.ts`,
      `${change}.test.ts`,
      "server/src/features/tasks/lists/surface.ts",
    ];
    const edited = ["server/test/arrangements/tasks.ts"];
    await writeFile(
      path.join(copy, "tsconfig.probe.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: [...files, ...edited] }),
    );
    const checked = await run(
      process.execPath,
      [path.join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.probe.json"],
      {
        cwd: copy,
      },
    ).catch((error: { stdout: string }) => error);
    const written = [...files, ...edited];
    expect(checked.stdout.split("\n").filter((line) => written.some((file) => line.startsWith(file)))).toEqual([]);
    expect(await readFile(path.join(copy, "server/src/features/tasks/lists/surface.ts"), "utf8")).toContain(
      "probeEverything",
    );
    await expect(newOperation("tasks.probeTask", "GET", "/v1/tasks/{task}/again", ...decided)).rejects.toMatchObject({
      code: 2,
    });
  }, 180_000);
});

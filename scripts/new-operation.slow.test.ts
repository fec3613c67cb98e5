import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Misunderstood, readArguments, type WantedOperation } from "./new-operation/arguments.ts";
import { withAction } from "./new-operation/templates.ts";
import { arranged, tabled } from "./new-operation/write.ts";

const root = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const known = [{ id: "tasks.readTask", method: "GET", path: "/v1/tasks/{task}" }];
const read = (...args: string[]): WantedOperation => readArguments(args, { root, known });
const decided = [
  "--permission",
  "tasks:read",
  "--gate",
  "exempt:makes no agent act",
  "--decides",
  "exempt:shows a task",
  "--action",
  "task.read",
];
const inTasks = ["--in", "tasks"];
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
    expect(read("tasks.readTaskTrust", "GET", "/v1/tasks/{task}/trust", ...decided, ...inTasks)).toEqual({
      id: "tasks.readTaskTrust",
      group: "tasks",
      name: "readTaskTrust",
      method: "GET",
      path: "/v1/tasks/{task}/trust",
      parameters: ["task"],
      summary: "Read task trust",
      permission: { value: "tasks:read" },
      gate: { exempt: "reads" },
      decides: { exempt: "reads" },
      action: { value: "task.read" },
      about: null,
      folder: "tasks/tasks",
    });
  });

  it("name the resource where the slice has folders of resources", () => {
    expect(complaint("tasks.readIt", "GET", "/v1/x", ...decided)).toMatch(/^Say the resource by --in: .*\btasks\b/);
  });

  it("go to a resource that is there, of the group or of another slice, and to a new one only where it is asked for", () => {
    const folderFor = (id: string, where: string) => read(id, "GET", "/v1/x", ...decided, "--in", where).folder;
    expect(folderFor("agents.readIt", "schedules")).toBe("schedules");
    expect(folderFor("agents.readIt", "new:labels")).toBe("agents/labels");
    expect(complaint("agents.readIt", "GET", "/v1/x", ...decided, "--in", "schedule")).toMatch(
      /^--in schedule is no resource\. Those of agents: .*versions.*--in new:<name>/,
    );
  });

  it.each([
    [[], "Say id, method and path"],
    [["readTask", "GET", "/v1/x"], "readTask is no id"],
    [
      ["nothing.readTask", "GET", "/v1/x"],
      "There is no group nothing in server/src/features. To add it, say what it is about: --about",
    ],
    [["tasks.readIt", "FETCH", "/v1/x"], "FETCH is no method"],
    [["tasks.readIt", "GET", "/tasks"], "/tasks is no path"],
    [["tasks.readTask", "GET", "/v1/other"], "tasks.readTask has this id already"],
    [["tasks.readIt", "GET", "/v1/tasks/{other}"], "tasks.readTask has this address already"],
    [["tasks.readIt", "GET", "/v1/x", "--colour", "red"], "--colour"],
  ])("%j are refused: %s", (args, words) => {
    expect(complaint(...args, ...decided)).toContain(words);
  });

  it.each(["permission", "gate", "decides", "action"])(
    "are refused where --%s was not decided, or not in its form",
    (stage) => {
      const at = decided.indexOf(`--${stage}`);
      expect(complaint("tasks.changeIt", "POST", "/v1/x", ...decided.toSpliced(at, 2))).toContain(`Decide --${stage}`);
      expect(complaint("tasks.changeIt", "POST", "/v1/x", ...decided.with(at + 1, "exempt:"))).toContain(
        `--${stage} is`,
      );
      expect(complaint("tasks.changeIt", "POST", "/v1/x", ...decided.with(at + 1, "yes"))).toContain(`--${stage} is`);
    },
  );
});

describe("the entries of a new operation", () => {
  const wanted = read("tasks.readIt", "GET", "/v1/tasks/{task}/it", ...decided, ...inTasks);

  it("are added to the actions of the slice, in order", () => {
    const slice = (actions: string) => `export const slice = defineSlice({\n  actions: {${actions}},\n});\n`;
    const action = { value: "task.read" };
    expect(withAction(slice(""), action)).toBe(slice('\n    "task.read": {},\n  '));
    expect(withAction(slice('\n    "task.change": {},\n    "task.run": {},\n  '), action)).toBe(
      slice('\n    "task.change": {},\n    "task.read": {},\n    "task.run": {},\n  '),
    );
    expect(withAction("export const other = 1;", action)).toBeUndefined();
  });

  it("are added to the arrangements, with what they need", () => {
    const text = arranged(
      'import { type Arrangements, nothing } from "../arranged.ts";\n\nexport const arrange: Arrangements = {\n  "a.b": nothing,\n};\n',
      wanted,
    );
    expect(text).toContain('import { waitingTask } from "../arranged.ts";');
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

  it("compiles and is registered: reads, changes and lists, in a group that is there and in a new one", async () => {
    const operations = "server/src/features/tasks/tasks/operations";
    const told = await newOperation("tasks.probeTask", "GET", "/v1/tasks/{task}/probe", ...decided, ...inTasks);
    expect(told.stdout).toContain(`wrote ${operations}/probe-task.ts\nwrote ${operations}/probe-task.test.ts`);
    const exempt = decided.with(decided.indexOf("--action") + 1, "exempt:touches nothing that policies know");
    await newOperation("tasks.probeEverything", "POST", "/v1/tasks/probes", ...exempt, ...inTasks);
    const notes = [...decided.with(1, "notes:write").with(decided.indexOf("--action") + 1, "note.change")];
    const group = await newOperation("notes.listNotes", "GET", "/v1/notes", ...notes, "--about", "Notes on tasks.");
    expect(group.stdout).toMatch(/A table of the group goes to server\/src\/db\/migrations\/\d{4}_notes\.sql/);
    await newOperation("notes.changeNote", "PATCH", "/v1/notes/{note}", ...notes);
    expect(await readFile(path.join(copy, "server/src/features/notes/slice.ts"), "utf8")).toContain(
      '"note.change": {}',
    );
    const files = [
      ...["probe-task", "probe-everything"].flatMap((name) => [
        `${operations}/${name}.ts`,
        `${operations}/${name}.test.ts`,
      ]),
      ...["slice.ts", "schemas.ts", "operations/list-notes.ts", "operations/list-notes.test.ts"].map(
        (file) => `server/src/features/notes/${file}`,
      ),
      ...["operations/change-note.ts", "operations/change-note.test.ts"].map(
        (file) => `server/src/features/notes/${file}`,
      ),
      ...["tasks/tasks", "notes"].map((name) => `server/src/features/${name}/arrangements.fixture.ts`),
    ];
    await writeFile(
      path.join(copy, "tsconfig.probe.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: files }),
    );
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const checked = await run(process.execPath, [tsc, "-p", "tsconfig.probe.json"], { cwd: copy }).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout.split("\n").filter((line) => files.some((file) => line.startsWith(file)))).toEqual([]);
    const registry = path.join(copy, "scripts/checks/registry.ts");
    const ids = await run(process.execPath, [
      "--input-type=module",
      "-e",
      `import { publishedOperations } from ${JSON.stringify(registry)}; console.log(publishedOperations().map(({ id }) => id).join());`,
    ]);
    for (const id of ["tasks.probeTask", "tasks.probeEverything", "notes.listNotes", "notes.changeNote"])
      expect(ids.stdout.split(/[,\n]/)).toContain(id);
    await expect(
      newOperation("tasks.probeTask", "GET", "/v1/tasks/{task}/again", ...decided, ...inTasks),
    ).rejects.toMatchObject({
      code: 2,
    });
  }, 180_000);
});

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildLibrary } from "../../scripts/pack/library.ts";
import { useApp } from "../../server/src/testing/app.ts";

const run = promisify(execFile);
const own = path.resolve(import.meta.dirname, "..");
const app = useApp();
let folder: string;
let built: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(own, ".aos-build-"));
  built = path.join(folder, "node_modules/@aos/sdk");
  await buildLibrary("sdk", built);
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the package as it is published", () => {
  it("is JavaScript that Node runs by itself", async () => {
    const program = `
      import { createClient } from "@aos/sdk";
      import { operations } from "@aos/sdk/operations";
      const aos = createClient({ baseUrl: process.env.AOS_URL, key: process.env.AOS_KEY });
      console.log(import.meta.resolve("@aos/sdk").endsWith("/index.js"), (await aos.admin.whoami()).principal.role, operations["admin.whoami"].path);`;
    await writeFile(path.join(folder, "program.js"), program);
    const env = { ...process.env, AOS_URL: app.url, AOS_KEY: app.key("admin") };
    const { stdout } = await run(process.execPath, ["--no-experimental-strip-types", path.join(folder, "program.js")], {
      env,
    });
    expect(stdout).toBe("true admin /v1/admin/whoami\n");
  });

  it("has types that a strict program is checked against", async () => {
    await writeFile(
      path.join(folder, "program.ts"),
      `import { createClient } from "@aos/sdk";
       const aos = createClient();
       export const fine: string = (await aos.tasks.cancelTask({ task: "tsk_1" })).task_id;
       export const wrong: number = (await aos.tasks.cancelTask({ task: "tsk_1" })).task_id;
       await aos.tasks.cancelTask({ tsk: "tsk_1" });`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
    };
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    // TypeScript 5, which most programs are checked by.
    const compiler = path.join(own, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout.match(/^program\.ts\(\d+/gm)).toEqual(["program.ts(4", "program.ts(5"]);
    expect(stdout).not.toContain("node_modules/");
  }, 180_000);

  it("says where its parts are, and what it needs", async () => {
    const {
      private: secluded,
      exports,
      engines,
      sideEffects,
    } = JSON.parse(await readFile(path.join(built, "package.json"), "utf8"));
    expect([secluded, engines, sideEffects]).toEqual([undefined, { node: ">=20.19" }, false]);
    expect(exports["./operations"]).toEqual({ types: "./operations.d.ts", default: "./operations.js" });
  });
});

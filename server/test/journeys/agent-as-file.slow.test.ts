import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Client, clientOf } from "../client.ts";
import { type ValidatingProxy, validatingProxy } from "../prism.ts";
import { aos, dataFolder, type ServiceProcess, startService } from "../processes.ts";

// An agent that is kept as a file beside its builder's other sources: applied, compared, frozen, deployed, changed, and brought back. One story in order.

const first = `agent: greeter
description: Greets people.
model: { provider: builtin }
instructions: |
  Greet whoever writes.
  Be short.
skills:
  - name: greet
    input: { type: object, required: [name], properties: { name: { type: string } } }
    output: { type: object, properties: { greeting: { type: string } } }
    limits: { steps: 4, seconds: 30 }
`;
const second = first.replace("Be short.", "Be short and kind.").replace("steps: 4", "steps: 6");

describe("the journey of an agent's file", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  let proxy: ValidatingProxy;
  let call: Client;
  let text: (accept?: string) => Promise<string>;
  let source: string;

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "all" });
    proxy = await validatingProxy(service.url);
    const keyFile = path.join(folder.dataDir, "admin.key");
    const secret = (await readFile(keyFile, "utf8")).trim();
    call = clientOf(proxy.url, secret);
    const direct = clientOf(service.url, secret);
    text = async () => (await direct("GET", "/v1/agents/greeter", { headers: { accept: "application/yaml" } })).text;
    source = path.join(folder.dataDir, "greeter.yaml");
    process.env.AOS_URL = service.url;
    process.env.AOS_KEY = secret;
  }, 120_000);
  afterAll(async () => {
    delete process.env.AOS_URL;
    delete process.env.AOS_KEY;
    await proxy?.close();
    await service?.stop();
    await database?.close();
    await folder?.remove();
  });

  const apply = (...more: string[]) => aos("agents", "apply", "-f", source, "--json", ...more);
  const diff = () => aos("agents", "diff", "-f", source);

  it("begins with faults that are told where they stand, all at once, before anything is made", async () => {
    await writeFile(source, first.replace("provider: builtin", "provider: builtn").replace("steps: 4", "steps: none"));
    const { code, stderr } = await apply();
    expect(code).toBe(1);
    expect(stderr).toContain(`${source}:3:`);
    expect(stderr).toContain(`${source}:${first.split("\n").findIndex((line) => line.includes("limits")) + 1}:`);
    expect((await call("GET", "/v1/agents/greeter")).status).toBe(404);
  });

  it("makes the agent, and applied again changes nothing", async () => {
    await writeFile(source, first);
    expect((await diff()).code).toBe(1);
    const made = await apply();
    expect([made.code, JSON.parse(made.stdout).draft], made.stderr).toEqual([0, "created"]);
    const again = await apply();
    expect([again.code, JSON.parse(again.stdout).draft], again.stderr).toEqual([0, "unchanged"]);
    expect((await diff()).code).toBe(0);
  });

  it("comes out as a file that says the same when it goes in again", async () => {
    const written = await text();
    await writeFile(source, written);
    expect((await diff()).code).toBe(0);
    expect(JSON.parse((await apply()).stdout).draft).toBe("unchanged");
    expect(await text()).toBe(written);
  });

  it("is frozen and deployed with a note, and works", async () => {
    const { code, stdout, stderr } = await apply("--note", "The first.", "--deploy");
    expect([code, JSON.parse(stdout).version], stderr).toEqual([0, { number: 1, frozen: true, deployed: true }]);
    const dispatched = await call("POST", "/v1/agents/greeter/tasks", {
      body: { task: "greet", name: "Sample Caller", require_approval: true },
    });
    expect(dispatched.status, dispatched.text).toBe(202);
    expect((await call("GET", `/v1/tasks/${dispatched.body.task_id}`)).body.version).toBe(1);
  });

  it("shows a change before it is made, and the draft changes no version", async () => {
    await writeFile(source, second);
    const shown = await diff();
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("Be short and kind.");
    expect(JSON.parse((await apply()).stdout).draft).toBe("changed");
    const version = await call("GET", "/v1/agents/greeter/versions/1");
    expect(JSON.stringify(version.body)).not.toContain("and kind");
  });

  it("goes live as a second version whose difference can be read", async () => {
    const { code, stdout, stderr } = await apply("--note", "Kinder.", "--deploy");
    expect([code, JSON.parse(stdout).version.number], stderr).toEqual([0, 2]);
    const compared = await call("GET", "/v1/agents/greeter/versions/2?diff=1");
    expect(compared.status, compared.text).toBe(200);
    expect(JSON.stringify(compared.body.diff)).toContain("Be short and kind.");
    const listed = await call("GET", "/v1/agents/greeter/versions");
    expect(
      listed.body.data.map((one: { version: number; note: string; deployed: boolean }) => [
        one.version,
        one.note,
        one.deployed,
      ]),
    ).toEqual([
      [2, "Kinder.", true],
      [1, "The first.", false],
    ]);
  });

  it("is brought back in one call", async () => {
    const { status, text: answered } = await call("POST", "/v1/agents/greeter/rollback", {
      body: { reason: "Too kind." },
    });
    expect(status, answered).toBe(200);
    const { body } = await call("GET", "/v1/agents/greeter");
    expect(body.deployment.version).toBe(1);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGate } from "../../../server/src/testing/actors.ts";
import { useSharedApp } from "../../../server/src/testing/shared-app.ts";
import { inProcess } from "../process.fixture.ts";

const apply = inProcess("agents apply");
const diff = inProcess("agents diff");

const app = useSharedApp();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-agents-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const text = (agent: string, description = "Answers."): string => `# kept by hand
agent: ${agent}
description: ${description}
labels: [care]
model: { provider: builtin }
instructions: |
  Be brief.
  Be kind.
skills:
  - name: answer
    input: { type: object, properties: { question: { type: string } } }
`;
async function fileOf(name: string, content: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}
/** Runs a command as the shell would, with the key of a builder by default. */
async function ran(
  command: typeof apply,
  args: readonly string[],
  {
    env = {},
    stdin = "",
    isTTY = false,
  }: { env?: Record<string, string | undefined>; stdin?: string; isTTY?: boolean } = {},
): Promise<Ran> {
  const written = { out: "", err: "" };
  const status = await command(args, {
    stdin: Readable.from([stdin]),
    stdout: { write: (part: string) => (written.out += part) },
    stderr: { write: (part: string) => (written.err += part) },
    env: { AOS_URL: app.url, AOS_KEY: app.key("builder"), XDG_CONFIG_HOME: folder, AOS_DATA_DIR: folder, ...env },
    isTTY,
  });
  return { status, ...written };
}

describe("aos agents apply", () => {
  it("creates the agent, then changes nothing, then what has changed", async () => {
    const file = await fileOf("one.yaml", text("one"));
    expect(await ran(apply, ["-f", file])).toEqual({ status: 0, out: "one: created (revision 1)\n", err: "" });
    expect((await ran(apply, ["-f", file])).out).toBe("one: unchanged (revision 1)\n");
    await fileOf("one.yaml", text("one", "Answers better."));
    expect((await ran(apply, ["-f", file])).out).toBe("one: changed (revision 2)\n");
    expect((await app.call("GET", "/v1/agents/one")).body).toMatchObject({
      description: "Answers better.",
      labels: ["care"],
    });
  });

  it("freezes a version with a note, and none where the newest says the same", async () => {
    const file = await fileOf("two.yaml", text("two"));
    expect((await ran(apply, ["-f", file, "--note", "The first."])).out).toBe(
      "two: created (revision 1)\ntwo: version 1 frozen\n",
    );
    expect((await ran(apply, ["-f", file, "--note", "Again."])).out).toBe(
      "two: unchanged (revision 1)\ntwo: version 1 already matches\n",
    );
    const { data } = (await app.call("GET", "/v1/agents/two/versions")).body;
    expect(data).toMatchObject([{ version: 1, note: "The first." }]);
  });

  it("deploys what it froze, and says so where it is live already", async () => {
    const args = ["-f", await fileOf("three.yaml", text("three")), "--note", "The first.", "--deploy"];
    expect((await ran(apply, args)).out).toBe(
      "three: created (revision 1)\nthree: version 1 frozen\nthree: version 1 deployed\n",
    );
    expect((await app.call("GET", "/v1/agents/three")).body).toMatchObject({
      status: "deployed",
      deployment: { version: 1 },
    });
    expect((await ran(apply, args)).out).toMatch(/version 1 is already live\n$/);
  });

  it("reads standard input, and tells programs in JSON", async () => {
    const { status, out } = await ran(apply, ["-f", "-", "--json", "--note", "n"], { stdin: text("four") });
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({
      file: "-",
      agent: "four",
      draft: "created",
      revision: 1,
      version: { number: 1, frozen: true, deployed: null },
      warnings: [],
    });
  });

  it("warns where nobody could approve what the deployed version asks for", async () => {
    const { secret, memberId } = await app.signedInMember("admin", "staging");
    await app.pool.query("update members set roles = roles - 'staging' where id <> $1", [memberId]);
    const file = await fileOf("alone.yaml", text("alone"));
    const env = { AOS_KEY: secret };
    await ran(apply, ["-f", file, "--note", "The first."], { env });
    await openGate(app, "alone", "staging");
    const { status, out, err } = await ran(apply, ["-f", file, "--note", "The first.", "--deploy"], { env });
    expect([status, out]).toEqual([0, expect.stringMatching(/alone: version 1 deployed\n$/)]);
    expect(err).toMatch(/^\S+alone\.yaml: warning: Nobody .*could approve .+ \(nobody_could_approve\)\n$/);
  });

  it("tells every fault in the form file:line:column", async () => {
    const file = await fileOf("faulty.yaml", text("faulty").replace("builtin", "bultin").replace("labels", "lables"));
    const { status, out, err } = await ran(apply, ["-f", file]);
    expect([status, out]).toEqual([1, ""]);
    expect(err.split("\n")).toEqual([
      `${file}:4:1: /lables is not known here; did you mean \`labels\`?`,
      expect.stringMatching(/faulty\.yaml:5:20: \/model\/provider must be one of .* did you mean `builtin`\?$/),
      "",
    ]);
  });

  it.each([
    ["agent: Not A Name\ndescription: x\nmodel: { provider: builtin }\n", "1:8: /agent"],
    ["- a list\n", "1:1: "],
    ["a: [", "1:5: "],
    ["description: x\n", "1:1: /agent is required"],
    ["agent: deep\nskills: {{{{\n", "2:"],
  ])("lets the service say what is wrong with a file that names no agent: %j", async (content, place) => {
    const file = await fileOf("nameless.yaml", content);
    const { status, err } = await ran(apply, ["-f", file]);
    expect([status, err]).toEqual([1, expect.stringContaining(`nameless.yaml:${place}`)]);
  });

  it("applies none of several files where one has a fault", async () => {
    const good = await fileOf("good.yaml", text("good"));
    const bad = await fileOf("bad.yaml", text("bad").replace("builtin", "none"));
    const { status, out, err } = await ran(apply, ["-f", good, "-f", bad]);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toContain("bad.yaml:5:20:");
    expect((await app.call("GET", "/v1/agents/good")).status).toBe(404);
    expect((await ran(apply, ["-f", good, "-f", await fileOf("bad.yaml", text("bad"))])).out).toBe(
      "good: created (revision 1)\nbad: created (revision 1)\n",
    );
  });

  it("tells a refusal with its code and its reference in the audit log", async () => {
    const file = await fileOf("five.yaml", text("five"));
    const { status, err } = await ran(apply, ["-f", file], { env: { AOS_KEY: app.key("viewer") } });
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/five\.yaml: .*agents:write.* \(insufficient_scope, aud_\w+\)\n$/),
    ]);
  });

  it("takes the key from a file, and never shows it", async () => {
    const keyFile = await fileOf("key.txt", `${app.key("builder")}\n`);
    const file = await fileOf("six.yaml", text("six"));
    expect((await ran(apply, ["-f", file, "--key-file", keyFile], { env: { AOS_KEY: undefined } })).out).toBe(
      "six: created (revision 1)\n",
    );
    for (const key of ["aos_dev_0123456789wrong", "aos_dev_\u0007odd", "two words"]) {
      const { status, out, err } = await ran(apply, ["-f", file], { env: { AOS_KEY: key } });
      expect([status, out]).toEqual([4, ""]);
      expect(err).not.toContain(key);
    }
  });

  it.each([
    [[], /required option '-f, --file <file>' not specified/],
    [["-f", "nowhere.yaml"], /File not found: nowhere\.yaml\./],
    [["-f", "-", "--deploy"], /--note/],
    [["-f", "-", "--forse"], /--forse/],
    [["-f", "-", "sales.yaml"], /too many arguments/],
  ])("says what is wrong with the arguments %j", async (args, message) => {
    const { status, err } = await ran(apply, args);
    expect([status, err]).toEqual([1, expect.stringMatching(message)]);
  });

  it.each([
    [{ AOS_KEY: undefined }, 4, /set AOS_KEY/],
    [{ AOS_URL: "localhost:4000" }, 1, /AOS_URL must be/],
    [{ AOS_URL: "http://127.0.0.1:9" }, 1, /is unreachable/],
  ])("says what is missing of its surroundings: %j", async (env, exit, message) => {
    const { status, err } = await ran(apply, ["-f", "-"], { env, stdin: text("seven") });
    expect([status, err]).toEqual([exit, expect.stringMatching(message)]);
  });

  it("refuses two files about one agent", async () => {
    const [one, other] = [await fileOf("a.yaml", text("same")), await fileOf("b.yaml", text("same"))];
    expect((await ran(apply, ["-f", one, "-f", other])).err).toMatch(/both define the agent same/);
  });
});

describe("aos agents apply, where somebody else changes the draft at the same time", () => {
  let between: Server;
  let surrounded: { env: { AOS_URL: string } };
  /** The call before which the draft is changed. */
  let before: "PATCH" | "POST" = "POST";
  /** Passes calls on; before the one call, somebody else describes the agent otherwise. */
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [agent] = /(?<=agents\/)[a-z-]+/.exec(request.url ?? "") ?? [];
    if (agent && request.method === before) {
      const headers = { "if-match": (await app.call("GET", `/v1/agents/${agent}`)).headers.get("etag") as string };
      const changed = await app.call("PATCH", `/v1/agents/${agent}`, {
        headers,
        body: { description: "Somebody else's." },
      });
      expect(changed.status).toBe(200);
    }
    const {
      connection: _connection,
      host: _host,
      "content-length": _length,
      "transfer-encoding": _coding,
      ...headers
    } = request.headers;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(`${app.url}${request.url}`, {
      method: request.method as string,
      headers: headers as Record<string, string>,
      ...body,
    });
    const { status } = answer;
    response.writeHead(status, {
      "content-type": answer.headers.get("content-type") ?? "",
      etag: answer.headers.get("etag") ?? "",
    });
    response.end(await answer.text());
  };
  beforeAll(async () => {
    between = createServer(
      (request, response) => void pass(request, response).catch((error) => response.destroy(error)),
    );
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
    surrounded = { env: { AOS_URL: `http://127.0.0.1:${(between.address() as AddressInfo).port}` } };
  });
  afterAll(() => {
    between.close();
  });

  it.each(["created", "changed", "unchanged"])(
    "freezes and deploys nothing of theirs after a draft that was %s, and says where to look",
    async (how) => {
      before = "POST";
      const agent = `raced-${how}`;
      if (how !== "created")
        await ran(apply, ["-f", "-"], { stdin: text(agent, how === "changed" ? "Older." : undefined) });
      const { status, out, err } = await ran(
        apply,
        ["-f", await fileOf(`${agent}.yaml`, text(agent)), "--note", "Mine.", "--deploy"],
        surrounded,
      );
      expect([status, out]).toEqual([1, ""]);
      expect(err).toContain(
        `Someone else changed ${agent} meanwhile: the file was applied as revision ${how === "changed" ? 2 : 1}, but no version was frozen.`,
      );
      expect(err).toMatch(/Compare with aos agents diff -f \S+\.yaml, .*\(stale_revision, aud_\w+\)\n$/);
      expect((await app.call("GET", `/v1/agents/${agent}/versions`)).body.data).toEqual([]);
      expect((await app.call("GET", `/v1/agents/${agent}`)).body).toMatchObject({
        description: "Somebody else's.",
        deployment: null,
      });
    },
  );

  it("applies nothing where they were first", async () => {
    before = "PATCH";
    await ran(apply, ["-f", "-"], { stdin: text("raced-before") });
    const { status, err } = await ran(apply, ["-f", "-"], { stdin: text("raced-before", "Mine."), ...surrounded });
    expect([status, err]).toEqual([
      1,
      expect.stringContaining("Someone else changed raced-before meanwhile: nothing was applied."),
    ]);
    expect((await app.call("GET", "/v1/agents/raced-before")).body.description).toBe("Somebody else's.");
  });
});

describe("the address of the service", () => {
  let other: Server;
  const asked: (string | undefined)[] = [];
  beforeAll(async () => {
    other = createServer((request, response) => {
      asked.push(request.headers.authorization);
      if (request.url?.startsWith("/moved")) response.writeHead(307, { location: `${app.url}/v1/agents/sales` }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<p>hello</p>");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    other.close();
  });

  it("is not followed elsewhere with the key", async () => {
    const { port } = other.address() as AddressInfo;
    const { status, err } = await ran(apply, ["-f", "-"], {
      env: { AOS_URL: `http://127.0.0.1:${port}/moved` },
      stdin: text("moved"),
    });
    expect([status, err]).toEqual([1, expect.stringContaining("status 307")]);
    expect(asked).toHaveLength(1);
  });
});

describe("aos agents diff", () => {
  const sales = async (): Promise<string> =>
    (await app.call("GET", "/v1/agents/sales", { headers: { accept: "application/yaml" } })).text;

  it("answers 0 for the file that was read", async () => {
    const file = await fileOf("sales.yaml", await sales());
    expect(await ran(diff, ["-f", file])).toEqual({ status: 0, out: "sales: no difference\n", err: "" });
  });

  it("shows each change with its sign and pointer, values and lines of texts, and answers 1", async () => {
    await ran(apply, ["-f", "-"], { stdin: text("shown") });
    const changed = text("shown", "Answers better.")
      .replace("  Be kind.\n", "  Be polite.\n")
      .replace("labels: [care]\n", "")
      .concat("  - name: ask\n    input: { type: object }\n");
    const { status, out } = await ran(diff, ["-f", "-"], { stdin: changed });
    expect(status).toBe(1);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^shown: .*description changed/),
      '~ /description "Answers." → "Answers better."  description',
      expect.stringMatching(/^- \/labels/),
      "    - - care",
      "~ /instructions  instructions",
      "    @@ -1,2 +1,2 @@",
      "     Be brief.",
      "    -Be kind.",
      "    +Be polite.",
      "+ /skills/1  skills › ask",
      "    + name: ask",
      "    + input:",
      "    +   type: object",
      "Prompts or tools change, so earlier evidence would count less.",
      "",
    ]);
    expect((await app.call("GET", "/v1/agents/shown")).body.revision).toBe(1);
  });

  it("colours on a terminal, and not where NO_COLOR is set or the output is a file", async () => {
    const changed = (await sales()).replace("steps: 12", "steps: 13");
    const coloured = await ran(diff, ["-f", "-"], { stdin: changed, isTTY: true });
    expect(coloured.out).toContain("\u001b[31m12\u001b[0m → \u001b[32m13\u001b[0m");
    for (const options of [
      { isTTY: false },
      { isTTY: true, env: { NO_COLOR: "1" } },
      { isTTY: true, env: { TERM: "dumb" } },
    ])
      expect((await ran(diff, ["-f", "-"], { stdin: changed, ...options })).out).not.toContain("\u001b");
  });

  it("shows what others wrote and obeys none of it", async () => {
    const changed = (await sales()).replace(/^description: .*$/m, 'description: "\\e[2J\\u202Eevil"');
    const { out } = await ran(diff, ["-f", "-"], { stdin: changed, isTTY: true, env: { NO_COLOR: "1" } });
    expect(out).toContain("evil");
    for (const character of ["\u001b", "\u202e"]) expect(out).not.toContain(character);
  });

  it("gives programs the difference as the service tells it", async () => {
    const { status, out } = await ran(diff, ["-f", "-", "--json"], {
      stdin: (await sales()).replace("steps: 12", "steps: 13"),
      isTTY: true,
    });
    const told = JSON.parse(out);
    expect([status, told.agent, told.file]).toEqual([1, "sales", "-"]);
    expect(told.diff.changes).toMatchObject([
      { pointer: "/skills/0/limits/steps", kind: "changed", before: 12, after: 13 },
    ]);
  });

  it("says that an agent does not exist yet, having checked its file", async () => {
    expect(await ran(diff, ["-f", "-"], { stdin: text("unborn") })).toEqual({
      status: 1,
      out: "+ unborn: does not exist yet\n",
      err: "",
    });
    const faulty = await ran(diff, ["-f", "-"], { stdin: text("unborn").replace("builtin", "none") });
    expect([faulty.status, faulty.err]).toEqual([2, expect.stringContaining("-:5:20: /model/provider")]);
    expect((await app.call("GET", "/v1/agents/unborn")).status).toBe(404);
  });

  it("answers the worst of several files", async () => {
    const same = await fileOf("same.yaml", await sales());
    const other = await fileOf("new.yaml", text("new"));
    expect((await ran(diff, ["-f", same, "-f", other])).status).toBe(1);
    const { status, out } = await ran(diff, ["-f", same, "-f", await fileOf("new.yaml", "agent: new\n")]);
    expect([status, out]).toEqual([2, "sales: no difference\n"]);
  });
});

describe("both commands", () => {
  it.each([
    ["apply", apply],
    ["diff", diff],
  ])("aos agents %s shows its usage", async (name, command) => {
    const { status, out } = await ran(command, ["--help"]);
    expect([status, out]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: aos agents ${name} `))]);
  });
});

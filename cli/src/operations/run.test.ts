import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { newDataset, newRun, teamItems } from "../../../server/src/features/evaluations/testing.ts";
import { useSharedApp } from "../../../server/src/testing/shared-app.ts";
import { type Ran, runAos, useFolder } from "../process.fixture.ts";

const app = useSharedApp();
const folder = useFolder();

/** Runs the command line as a process of its own, with an admin key by default. */
const aos = (args: readonly string[], more: { env?: Record<string, string>; stdin?: string } = {}): Promise<Ran> =>
  runAos(args, { AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path, ...more.env }, more.stdin);

async function fileOf(name: string, text: string): Promise<string> {
  const file = `${folder.path}/${name}`;
  await writeFile(file, text);
  return file;
}

const policy = `name: No weekend work
scope: { actions: [task.dispatch] }
when: risk.score >= 11
effect: deny
reason_code: weekend
message: Not at the weekend.
`;

describe("a list", () => {
  it("is a table for people, whole and without colours where the output is no terminal", async () => {
    const { task_id } = await app.dispatch();
    const { status, out } = await aos(["tasks", "list", "--status", "awaiting_approval"]);
    const [title = "", first = ""] = out.split("\n");
    expect(status).toBe(0);
    expect(title).toMatch(/^TITLE +TASK +STATUS +AGENT +SKILL/);
    expect(first).toMatch(new RegExp(`^Qualify lead ld_\\w+ +${task_id} +awaiting_approval +sales +qualify_lead`));
    expect(out).not.toContain("\u001b");
  });

  it("is the answer of the service as JSON with --json", async () => {
    const { out } = await aos(["tasks", "list", "--json", "--limit", "1"]);
    expect(JSON.parse(out)).toMatchObject({ data: [{ agent: "sales" }], has_more: expect.any(Boolean) });
  });

  it("comes whole with --all, in the form of one page", async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, async () => (await app.dispatch({ labels: ["many"] })).task_id),
    );
    const { status, out } = await aos(["tasks", "list", "--label", "many", "--all", "--json"]);
    const { data, has_more, next_cursor } = JSON.parse(out) as {
      data: { task_id: string }[];
      has_more: boolean;
      next_cursor: null;
    };
    expect([status, has_more, next_cursor]).toEqual([0, false, null]);
    expect(data.map(({ task_id }) => task_id).sort()).toEqual(ids.sort());
    const people = await aos(["tasks", "list", "--label", "many", "--limit", "27"]);
    expect(people.out.trim().split("\n")).toHaveLength(28);
    expect(people.err).toContain("More items exist");
  });

  it("that is empty says so on standard error", async () => {
    expect(await aos(["tasks", "list", "--label", "nobody"])).toEqual({ status: 0, out: "", err: "Nothing.\n" });
  });
});

describe("the steps of a task", () => {
  it("show the state of each and why one failed", async () => {
    const { task_id } = await app.dispatch();
    const values = [task_id, '{"code": "record_not_found", "detail": "There is no record ld_9."}'];
    await app.pool.query(
      `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, failure)
       select organization, environment, 'stp_' || substr(id, 5), id, 1, 1, 'tool', 'get_lead', 'failed', '{}', $2 from tasks where id = $1`,
      values,
    );
    const { out } = await aos(["tasks", "steps", "list", task_id]);
    expect(out).toMatch(/^# +KIND +NAME +STATE +FAILURE/);
    expect(out).toMatch(/get_lead +failed +There is no record ld_9\./);
  });
});

describe("a long answer", () => {
  it("is summed up for people, and whole with --json", async () => {
    const { out } = await aos(["agents", "trust", "get", "sales"]);
    expect(out).toMatch(/^sales, version 1: 0\.\d\d, between 0\.\d\d and 0\.\d\d\nSKILL +SCORE/);
    expect(out.split("\n").length).toBeLessThan(8);
    expect(JSON.parse((await aos(["agents", "trust", "get", "sales", "--json"])).out)).toHaveProperty("skills.0.parts");
    const bulk = [
      "knowledge",
      "bases",
      "documents",
      "bulk",
      "add",
      "leads",
      "--documents",
      '[{"external_id":"x1","text":"a"},{"external_id":"x2"}]',
    ];
    expect((await aos(bulk)).out).toMatch(
      /^1 added, 0 replaced, 0 unchanged, 1 failed\ndocument 2: has neither `text` nor `fields`/,
    );
  });

  it("of a run is not taken for a list", async () => {
    const { run_id } = await newRun(app, await newDataset(app, teamItems(["partners"])));
    const { status, out } = await aos(["evaluations", "runs", "get", run_id, "--limit", "3"]);
    expect([status, out]).toEqual([0, expect.stringMatching(/^run_\w+: sales, version 1, over set-\d+/)]);
  });
});

describe("an option that stands alone", () => {
  it("takes true or false behind it", async () => {
    const { task_id } = await app.dispatch();
    const given = await aos(["tasks", "feedback", "give", task_id, "--accepted", "false", "--dry-run", "true"]);
    expect(given.err).not.toContain("too many arguments");
    const checked = await aos([
      "tasks",
      "dispatch",
      "sales",
      "qualify_lead",
      "--lead-id",
      "ld_1001",
      "--require-approval",
      "false",
      "--json",
    ]);
    expect(JSON.parse(checked.out)).toMatchObject({ status: "queued" });
  });
});

describe("a change", () => {
  it("takes its body from a file in YAML, with options on top", async () => {
    const file = await fileOf("policy.yaml", policy);
    const { status, out } = await aos([
      "governance",
      "policies",
      "create",
      "-f",
      file,
      "--state",
      "draft",
      "--field",
      'scope.agents=["sales"]',
      "--json",
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      state: "draft",
      name: "No weekend work",
      scope: { actions: ["task.dispatch"], agents: ["sales"] },
    });
  });

  it("takes its body from standard input, and from options alone", async () => {
    const piped = await aos(["governance", "policies", "create", "-f", "-"], { stdin: policy });
    expect([piped.status, piped.out]).toEqual([0, expect.stringMatching(/^policy_id: +pol_\w+$/m)]);
    const typed = await aos([
      "governance",
      "check",
      "--action",
      "task.dispatch",
      "--agent",
      "sales",
      "--skill",
      "qualify_lead",
      "--input",
      '{"lead_id": "ld_1001"}',
      "--json",
    ]);
    expect([typed.status, typed.err]).toEqual([0, ""]);
  });

  it("is not made with --dry-run", async () => {
    const { task_id } = await app.dispatch();
    const { status, out } = await aos(["tasks", "cancel", task_id, "--dry-run"]);
    expect([status, out]).toEqual([0, expect.stringMatching(/^dry_run: +yes$/m)]);
    expect((await app.call("GET", `/v1/tasks/${task_id}`)).body.status).toBe("awaiting_approval");
    expect((await aos(["tasks", "cancel", task_id, "--reason", "not needed"])).status).toBe(0);
    expect((await app.call("GET", `/v1/tasks/${task_id}`)).body.status).toBe("cancelled");
  });

  it("is made once under one --idempotency-key", async () => {
    const args = [
      "governance",
      "policies",
      "create",
      "-f",
      await fileOf("once.yaml", policy),
      "--idempotency-key",
      "once",
      "--json",
    ];
    const [one, two] = [await aos(args), await aos(args)];
    expect(JSON.parse(two.out).policy_id).toBe(JSON.parse(one.out).policy_id);
  });

  it("reads the present revision first, and keeps to that of --if-match", async () => {
    expect((await aos(["agents", "update", "sales", "--description", "Prepares leads."])).status).toBe(0);
    expect((await app.call("GET", "/v1/agents/sales")).body.description).toBe("Prepares leads.");
    const stale = await aos(["agents", "update", "sales", "--description", "x", "--if-match", '"1-json"']);
    expect([stale.status, stale.err]).toEqual([1, expect.stringMatching(/stale_revision \(412\), record aud_/)]);
  });

  it("reads the revision of the agent whose tool is bound or taken away", async () => {
    const tool = JSON.stringify({ name: "find_lead", kind: "record", base: "leads", effect: "read" });
    const bound = await aos(["agents", "tools", "bind", "sales", "find_lead", "--definition", tool]);
    expect(bound.status, bound.err).toBe(0);
    expect((await aos(["agents", "tools", "list", "sales"])).out).toMatch(/find_lead +read +unused/);
    expect((await aos(["agents", "tools", "unbind", "sales", "find_lead"])).status).toBe(0);
  });

  it("of an agent by its file lets the service name line and column", async () => {
    const { out } = await aos(["agents", "get", "sales", "--yaml"]);
    const file = await fileOf("sales.yaml", out.replace("provider: builtin", "provider: bultin"));
    const { status, err } = await aos(["agents", "update", "sales", "-f", file]);
    expect([status, err]).toEqual([1, expect.stringContaining("/model/provider")]);
  });
});

describe("what goes wrong", () => {
  it("is told with place, remedy and record, and exits with 1", async () => {
    const { status, out, err } = await aos(["tasks", "list", "--status", "bogus"]);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^aos: status: must be one of .*\n {2}invalid_parameter \(400\), record aud_\w+, http/);
    const denied = await aos(["governance", "policies", "create", "-f", "-"], {
      stdin: policy,
      env: { AOS_KEY: app.key("viewer") },
    });
    expect(denied.err).toContain("It requires the permission governance:write. Check your permissions with aos whoami");
  });

  it("shows the reasons of an evaluation gate, and what to do", async () => {
    await app.deploy("production");
    await app.verdict("failed", "production");
    const env = { AOS_KEY: app.key("admin", "production") };
    const { status, err } = await aos(["tasks", "dispatch", "sales", "qualify_lead", "--lead-id", "ld_1001"], { env });
    expect([status, err]).toEqual([1, expect.stringContaining("evaluation_gate_failed (409)")]);
    const { gate } = JSON.parse(
      (await aos(["tasks", "dispatch", "sales", "qualify_lead", "--lead-id", "ld_1001", "--json"], { env })).err,
    );
    for (const reason of gate.reasons) expect(err).toContain(`  ${reason}\n`);
    expect(err).toContain("aos evaluations gates get");
  });

  it("is the problem as JSON on standard error with --json", async () => {
    const { status, out, err } = await aos(["tasks", "get", "tsk_01jd8x0000000000000000000a", "--json"]);
    expect([status, out]).toEqual([1, ""]);
    expect(JSON.parse(err)).toMatchObject({
      code: "not_found",
      status: 404,
      audit_ref: expect.stringMatching(/^aud_/),
    });
  });

  it.each([
    [["tasks", "get"], /missing required argument 'task'\naos tasks get --help/],
    [["tasks", "get", "a", "b"], /too many arguments/],
    [["tasks", "list", "--statsu", "x"], /unknown option '--statsu'\n\(Did you mean --status\?\)/],
    [["tasks", "list", "--limit", "none"], /--limit takes a whole number/],
    [["tasks", "update", "tsk_1", "--priority", "high"], /--priority takes a whole number, not "high"/],
    [["tasks", "update", "tsk_1", "--priority"], /option '--priority <number>' argument missing/],
    [
      ["governance", "policies", "create"],
      /Set --name, --when, --effect, --reason-code, --message with options, or pass the whole body with -f/,
    ],
    [["governance", "policies", "create", "-f", "nowhere.yaml"], /File not found: nowhere\.yaml/],
    [["governance", "check", "--action", "a", "--input", "{"], /--input takes JSON/],
    [["tasks", "get", ".."], /<task> cannot be "\.\."/],
  ])("in the arguments %j is told before anything is called", async (args, message) => {
    const { status, out, err } = await aos(args, { env: { AOS_URL: "http://127.0.0.1:9" } });
    expect([status, out, err]).toEqual([1, "", expect.stringMatching(message)]);
  });

  it("names line and column of a file that is not YAML", async () => {
    const file = await fileOf("broken.yaml", "name: x\nscope: {{\n");
    const { status, err } = await aos(["governance", "policies", "create", "-f", file, "--state", "draft"]);
    expect([status, err]).toEqual([1, expect.stringMatching(/broken\.yaml:\d+:\d+: /)]);
  });

  it("with the key exits with 4", async () => {
    const none = await aos(["tasks", "list"], { env: { AOS_KEY: "" } });
    expect(none).toEqual({
      status: 4,
      out: "",
      err: `aos: You are not signed in to ${app.url}. Sign in with aos login, or set AOS_KEY.\n`,
    });
    const wrong = await aos(["tasks", "list"], { env: { AOS_KEY: "aos_dev_wrong" } });
    expect([wrong.status, wrong.err]).toEqual([4, expect.stringMatching(/Sign in with aos login/)]);
    expect(wrong.err).not.toContain("aos_dev_wrong");
  });

  it("because nothing listens says how to start it", async () => {
    const { status, err } = await aos(["tasks", "list"], { env: { AOS_URL: "http://127.0.0.1:1" } });
    expect([status, err]).toEqual([1, expect.stringContaining("is unreachable")]);
  });
});

describe("aos api", () => {
  it("calls any address, with fields or a file", async () => {
    expect(JSON.parse((await aos(["api", "/v1/admin/whoami"])).out)).toMatchObject({ environment: "development" });
    const checked = await aos([
      "api",
      "POST",
      "/v1/governance/check",
      "--field",
      "action=task.dispatch",
      "--field",
      "agent=sales",
      "--field",
      "skill=qualify_lead",
      "--field",
      "input.lead_id=ld_1001",
      "--include",
    ]);
    expect([checked.status, checked.err]).toEqual([0, expect.stringMatching(/^200\n[\s\S]*audit-ref: aud_/)]);
    const piped = await aos(["api", "PATCH", "/v1/tasks/tsk_01jd8x0000000000000000000a", "-f", "-"], {
      stdin: '{"priority": 1}',
    });
    expect([piped.status, piped.err]).toEqual([1, expect.stringContaining("not_found (404)")]);
  });

  it.each([
    [["api", "FETCH", "/v1/tasks"], /FETCH is not a method/],
    [["api", "GET", "v1/tasks"], /must begin with a slash/],
    [["api", "GET", "/v1/tasks", "-H", "Authorization: Bearer x"], /Authorization header is set from your key/],
  ])("refuses %j", async (args, message) => {
    expect(await aos(args)).toEqual({ status: 1, out: "", err: expect.stringMatching(message) });
  });
});

import { beforeAll, describe, expect, it, vi } from "vitest";
import { useSharedApp } from "../../server/src/testing/shared-app.ts";
import {
  type AosClient,
  ApiProblem,
  BadRequest,
  Conflict,
  createClient,
  createRawClient,
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  Stale,
  Unauthenticated,
} from "./index.ts";
import { json, loopback, problem } from "./loopback.fixture.ts";

const app = useSharedApp();
let aos: AosClient;
beforeAll(() => {
  aos = createClient({ baseUrl: app.url, key: app.key("admin") });
});
const dispatch = () =>
  aos.agents.dispatchTask({ agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true });
const refusalOf = (call: PromiseLike<unknown>) => Promise.resolve(call).catch((error: unknown) => error);
const yaml = (name: string) => `agent: ${name}\ndescription: Answers questions.\nmodel: { provider: builtin }\n`;

describe("a call by name", () => {
  it("sends a file as a form, with members beside it", async () => {
    await aos.knowledge.createBase({ name: "files" });
    const file = new File(["The contents."], "contents.txt", { type: "text/plain" });
    const added = await aos.knowledge.addDocument({ base: "files", file, external_id: "c1", metadata: { year: 2026 } });
    expect(added).toMatchObject({ outcome: "added", external_id: "c1", title: "contents", state: "queued" });
  });

  it("sends path, query and body where each belongs, and answers the data", async () => {
    const { task_id, status } = await dispatch();
    expect([task_id, status]).toEqual([expect.stringMatching(/^tsk_/), "awaiting_approval"]);
    const { data } = await aos.tasks.listTasks({ status: ["awaiting_approval", "queued"], agent: ["sales"], limit: 1 });
    expect(data.map((task) => [task.task_id, task.input])).toEqual([[task_id, { lead_id: "ld_1001" }]]);
    expect(await aos.tasks.cancelTask({ task: task_id, reason: "asked for by mistake" })).toMatchObject({
      task_id,
      status: "cancelled",
    });
  });

  it("answers what its headers say, where that is asked for", async () => {
    const { data, status, auditRef, requestId, location, replayed } = await dispatch().withResponse();
    expect([status, location, replayed]).toEqual([202, `/v1/tasks/${data.task_id}`, false]);
    expect([auditRef, requestId]).toEqual([data.audit_ref, expect.stringMatching(/^req_/)]);
  });

  it("is done once under one idempotency key", async () => {
    const send = () =>
      aos.agents
        .dispatchTask({ agent: "sales", task: "qualify_lead", lead_id: "ld_1001" }, { idempotencyKey: "lead-1001" })
        .withResponse();
    const [first, second] = [await send(), await send()];
    expect([second.data.task_id, first.replayed, second.replayed]).toEqual([first.data.task_id, false, true]);
  });

  it("tells with `dryRun` what it would do, and does nothing", async () => {
    const before = (await aos.tasks.listTasks({ limit: 1 })).data[0]?.task_id;
    const would = await aos.agents.dispatchTask(
      { agent: "sales", task: "qualify_lead", lead_id: "ld_1001" },
      { dryRun: true },
    );
    expect([would.response_status, would.stages.length]).toEqual([202, 4]);
    expect((await aos.tasks.listTasks({ limit: 1 })).data[0]?.task_id).toBe(before);
  });

  it("changes the revision that was read, and no other", async () => {
    const { etag } = await aos.admin.readSettings().withResponse();
    const settings = { rate: { per_second: 77 } };
    const changed = await aos.admin.changeSettings({ settings }, { ifMatch: etag as string }).withResponse();
    expect([changed.data.settings.rate.per_second, changed.etag === etag]).toEqual([77, false]);
    expect(await aos.admin.readSettings({}, { ifNoneMatch: changed.etag as string })).toBeNull();
    expect(await refusalOf(aos.admin.changeSettings({ settings }, { ifMatch: etag as string }))).toBeInstanceOf(Stale);
  });

  it("may name the revision that is meant where that is the caller's choice", async () => {
    const { data, etag } = await aos.agents.createAgent({ yaml: yaml("meant") }).withResponse();
    const skills = [{ name: "answer", input: { type: "object" } }];
    await aos.agents.changeDraft({ agent: data.agent, skills }, { ifMatch: etag as string });
    expect(
      await refusalOf(aos.agents.freezeVersion({ agent: data.agent }, { ifMatch: etag as string })),
    ).toBeInstanceOf(Stale);
    expect((await aos.agents.freezeVersion({ agent: data.agent })).version).toBe(1);
  });

  it("takes a file of YAML for the fields, and answers one", async () => {
    const made = await aos.agents.createAgent({ yaml: yaml("helpdesk") });
    expect(made.agent).toBe("helpdesk");
    expect(await aos.agents.readAgent({ agent: "helpdesk" }, { accept: "application/yaml" })).toMatch(
      /^agent: helpdesk$/m,
    );
    const diff = await aos.agents.compareDraft({
      agent: "helpdesk",
      yaml: yaml("helpdesk").replace("questions", "letters"),
    });
    expect(diff.changes.length).toBeGreaterThan(0);
  });

  it("sends a field named `yaml` among the others where no file is taken", async () => {
    const { url, received } = await loopback(json({ task_id: "tsk_1" }, 202));
    const input = { task: "check_file", yaml: "a: 1", strict: true };
    await createClient({ baseUrl: url }).agents.dispatchTask({ agent: "sales", ...input });
    expect([received[0]?.headers["content-type"], JSON.parse(received[0]?.body ?? "")]).toEqual([
      "application/json",
      input,
    ]);
  });

  it("answers text as text, and a long file as a stream of bytes", async () => {
    expect(await aos.audit.readCheckpoint()).toMatch(/^— |\n— /m);
    const { url, received } = await loopback((response) => {
      response.writeHead(200, { "content-type": "text/csv" }).end("a,b\n1,2\n");
    });
    const bytes = await createClient({ baseUrl: url }).audit.readExport(
      { audit_export: "exp_1" },
      { accept: "text/csv" },
    );
    expect(await new Response(bytes).text()).toBe("a,b\n1,2\n");
    expect(received[0]?.headers.accept).toBe("text/csv");
  });

  it("waits where that is asked for", async () => {
    const { task_id } = await dispatch();
    const waiting = aos.tasks.readTask({ task: task_id }, { wait: 30 }).withResponse();
    await aos.tasks.cancelTask({ task: task_id });
    const { data, headers } = await waiting;
    expect([data.status, headers.get("preference-applied")]).toEqual(["cancelled", "wait=30"]);
  });

  it.each([
    ["", '""'],
    [".", '"."'],
    ["..", '".."'],
    [undefined, "undefined"],
  ])("does not lead elsewhere where its path would name %j", async (task, shown) => {
    const { url, received } = await loopback(json({}));
    const call = createClient({ baseUrl: url }).tasks.readTask({ task: task as string });
    await expect(call).rejects.toThrow(
      `tasks.readTask: task takes the name or id that stands in /v1/tasks/{task}, not ${shown}`,
    );
    expect(received).toEqual([]);
  });

  it("keeps what a name has in it within its part of the path", async () => {
    const { url, received } = await loopback(json({}));
    await createClient({ baseUrl: `${url}/` }).tasks.readTask({ task: "a/../b?c=1#d%" });
    expect(received[0]?.url).toBe("/v1/tasks/a%2F..%2Fb%3Fc%3D1%23d%25");
  });

  it("is reported nowhere but to who awaits it, and is a promise like any other", async () => {
    const refused = aos.tasks.readTask({ task: "tsk_nobody" });
    await expect(refused.withResponse()).rejects.toBeInstanceOf(NotFound);
    const told = vi.fn();
    await refused.catch(told).finally(told);
    expect(told).toHaveBeenCalledTimes(2);
    expect(refused).toBeInstanceOf(Promise);
    expect(await Promise.all([aos.admin.whoami(), aos.admin.whoami()])).toHaveLength(2);
  });
});

describe("a list", () => {
  it("is iterated over item by item and page by page, with its filter", async () => {
    const labelled = { agent: "sales", task: "qualify_lead", lead_id: "ld_1001", labels: ["many"] };
    for (let n = 0; n < 5; n++) await aos.agents.dispatchTask({ ...labelled, priority: n });
    const priorities: number[] = [];
    for await (const { priority } of aos.tasks.listTasks({ label: "many", limit: 2 })) priorities.push(priority);
    expect(priorities).toEqual([4, 3, 2, 1, 0]);
    const sizes: number[] = [];
    for await (const { data } of aos.tasks.listTasks({ label: "many", limit: 2 }).pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it("is iterated over also where its page tells more than what it lists", async () => {
    const labelled = {
      agent: "sales",
      task: "qualify_lead",
      lead_id: "ld_1002",
      labels: ["asking"],
      require_approval: true,
    };
    const asking: string[] = [];
    for (let n = 0; n < 3; n++) asking.push((await aos.agents.dispatchTask(labelled)).task_id);
    const seen: string[] = [];
    for await (const { task_id } of aos.approvals.listApprovals({ agent: ["sales"], limit: 2 })) seen.push(task_id);
    expect(seen).toEqual(expect.arrayContaining(asking));
    const { counts } = await aos.approvals.listApprovals({ limit: 1 });
    expect(counts.total).toBe(seen.length);
  });

  it("is read no further than the loop goes", async () => {
    const page = { data: [{ task_id: "tsk_1" }], has_more: true, next_cursor: "next" };
    const { url, received } = await loopback(json(page));
    for await (const _task of createClient({ baseUrl: url }).tasks.listTasks({ status: ["queued"] }))
      if (received.length === 2) break;
    expect(received.map((one) => one.url)).toEqual(["/v1/tasks?status=queued", "/v1/tasks?status=queued&cursor=next"]);
  });

  it("ends with the refusal where a page is refused", async () => {
    const { url } = await loopback(
      json({ data: [1], has_more: true, next_cursor: "next" }),
      problem(400, "invalid_cursor"),
    );
    const seen: unknown[] = [];
    const all = async () => {
      for await (const one of createClient({ baseUrl: url }).tasks.listTasks()) seen.push(one);
    };
    await expect(all()).rejects.toMatchObject({ code: "invalid_cursor" });
    expect(seen).toEqual([1]);
  });
});

describe("a refusal", () => {
  const wrong = { task: "qualify_lead", priority: 99, labels: [""] };

  it.each([
    [BadRequest, 400, "invalid_parameter", () => aos.tasks.listTasks({ limit: 1000 })],
    [Unauthenticated, 401, "unauthenticated", () => createClient({ baseUrl: app.url, key: "wrong" }).admin.whoami()],
    [
      Forbidden,
      403,
      "insufficient_scope",
      () => createClient({ baseUrl: app.url, key: app.key("viewer") }).admin.listKeys(),
    ],
    [NotFound, 404, "not_found", () => aos.tasks.readTask({ task: "tsk_nobody" })],
    [Invalid, 422, "invalid_body", () => aos.agents.dispatchTask({ agent: "sales", ...wrong })],
  ])("is a %O", async (Kind, status, code, call) => {
    const error = (await refusalOf(call())) as ApiProblem;
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(ApiProblem);
    expect([error.name, error.status, error.code, error.retryable]).toEqual([Kind.name, status, code, false]);
    expect([error.auditRef, error.requestId]).toEqual([expect.stringMatching(/^aud_/), expect.stringMatching(/^req_/)]);
  });

  it("names every fault with its place, also in its message, and what its kind adds", async () => {
    const error = (await refusalOf(aos.agents.dispatchTask({ agent: "sales", ...wrong }))) as Invalid;
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(["/priority", "/labels/0"]));
    expect(error.message).toMatch(
      /^POST \/v1\/agents\/sales\/tasks answered 422 invalid_body: .+\n {2}\/priority: .+/s,
    );
    const forbidden = await refusalOf(createClient({ baseUrl: app.url, key: app.key("viewer") }).admin.listKeys());
    expect(forbidden).toMatchObject({ stage: "permissions", problem: { missing_scope: "admin:read" } });
  });

  it("of a state is a Conflict", async () => {
    const { task_id: task } = await dispatch();
    await aos.tasks.cancelTask({ task });
    expect(await refusalOf(aos.tasks.submitInput({ task, answer: "the small one" }))).toBeInstanceOf(Conflict);
  });

  it("never carries the key", async () => {
    const secret = app.key("viewer");
    const { url } = await loopback(problem(429, "rate_limited"));
    for (const baseUrl of [app.url, url, "http://127.0.0.1:1"]) {
      const error = await refusalOf(createClient({ baseUrl, key: secret, retry: { retries: 0 } }).admin.listKeys());
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain(secret);
      if (baseUrl === url) expect(error).toBeInstanceOf(RateLimited);
    }
  });
});

describe("calls by path", () => {
  it("answer data, error and response, typed by the path", async () => {
    const { task_id: task } = await dispatch();
    const found = await aos.GET("/v1/tasks/{task}", { params: { path: { task } } });
    expect([found.data?.status, found.error, found.response.headers.get("audit-ref")]).toEqual([
      "awaiting_approval",
      undefined,
      expect.stringMatching(/^aud_/),
    ]);
    const raw = createRawClient({ baseUrl: app.url, key: app.key("admin") });
    const list = await raw.GET("/v1/tasks", {
      params: { query: { status: ["awaiting_approval", "queued"], limit: 1 } },
    });
    expect(list.data?.data).toHaveLength(1);
    const missing = await aos.raw.GET("/v1/tasks/{task}", { params: { path: { task: "tsk_nobody" } } });
    expect([missing.data, missing.error?.code]).toEqual([undefined, "not_found"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withPredictions } from "../operations/show.ts";
import type { Terminal } from "../terminal.ts";
import { columnsOfList } from "./columns.ts";
import { detailLines } from "./detail.ts";
import { searchLines } from "./passages.ts";
import { progressOn } from "./progress.ts";
import { summaryOf } from "./summaries.ts";
import { type Column, tableLines } from "./table.ts";
import { fitted, padded, widthOf, wrapped } from "./text.ts";

const sink = { write: () => true };
const terminal = (env: Record<string, string> = {}, isTTY = true, more: Partial<Terminal> = {}): Terminal => ({
  stdin: process.stdin,
  stdout: sink,
  stderr: sink,
  env,
  isTTY,
  ...more,
});
const columns: readonly Column[] = [
  { title: "NAME", of: ({ name }) => name },
  { title: "STATUS", of: ({ status }) => status },
  { title: "NOTE", of: ({ note }) => note, long: true },
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour
const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, "");

it("shows what the model held possible in a line for each field", () => {
  const predictions = {
    "/intent": [
      { value: "card_linking", probability: 0.9313 },
      { value: null, probability: 0.02, none: true },
    ],
  };
  const lines = detailLines(withPredictions({ task_id: "tsk_1", predictions }), terminal({ NO_COLOR: "1" }));
  expect(lines.map(plain)).toEqual([
    "task_id: tsk_1",
    "predictions:",
    "  /intent: card_linking 93.1 %, none of these 2 %",
  ]);
});

it("sums up trust with the number of judged outcomes that each score rests on", () => {
  const skill = {
    skill: "route",
    score: 0.9,
    low: 0.85,
    high: 0.94,
    labels: { evaluation: 10, random: 2, volunteered: 1 },
  };
  const lines = summaryOf(
    "agents.readTrust",
    { agent: "desk", version: 2, ...skill, skills: [skill] },
    terminal({}, false),
  );
  expect(lines?.[1]).toMatch(/JUDGED/);
  expect(lines?.[2]).toMatch(/^route +0\.90 +0\.85 to 0\.94 +13 /);
});

const figure = { mean: 0.75, low: 0.5, high: 1 };
const tested = {
  base_id: "kb_1",
  questions: 4,
  asked: 4,
  difference: null,
  results: [{ index: 0, scores: [], unknown: ["bikes.pdf"] }],
  figures: [{ mode: "words", figures: { ndcg_at_10: figure, recall_at_10: figure, reciprocal_rank: figure } }],
  misses: [{ index: 3, question: "are there bicycles", expected: ["bikes.pdf"], found: [{ title: "Warranty" }] }],
};

it("sums up a retrieval test by its figures, and lists the questions that missed", () => {
  const lines = summaryOf("knowledge.testBase", tested, terminal({ COLUMNS: "80", NO_COLOR: "1" })) ?? [];
  expect(lines.slice(0, 2)).toEqual([
    "4 questions asked, 1 missed",
    "no document of this base, counted as not found: bikes.pdf",
  ]);
  expect(lines).toContain("nDCG@10    0.750  0.50 to 1.00");
  expect(lines.at(-1)).toBe("4  are there bicycles  bikes.pdf  Warranty");
  const both = { ...tested, figures: [...tested.figures, { ...tested.figures[0], mode: "hybrid" }] };
  const [, , , titles = ""] = summaryOf("knowledge.testBase", both, terminal({}, false)) ?? [];
  expect(titles).toMatch(/^FIGURE +WORDS +95 % +WORDS AND VECTORS +95 %$/);
});

it("sums up a sync by its state and counts, with the items that failed", () => {
  const counts = { added: 3, changed: 1, removed: 0, unchanged: 9, failed: 1 };
  const sync = { sync_id: "syn_1", base_id: "kb_1", connector: "news", state: "completed", error: null, ...counts };
  const failures = { data: [{ item: "a.pdf", code: "encrypted", detail: "It has a password." }] };
  const read = summaryOf("knowledge.readSync", { ...sync, failures }, terminal({}, false));
  expect(read).toEqual([
    "syn_1: news, completed",
    "3 added, 1 changed, 0 removed, 9 unchanged, 1 failed",
    "",
    "ITEM   CODE       REASON",
    "a.pdf  encrypted  It has a password.",
  ]);
  expect(summaryOf("knowledge.startSync", { syncs: [sync] }, terminal({}, false))).toEqual([
    ...(read ?? []).slice(0, 2),
    "Progress: aos knowledge bases syncs list kb_1",
  ]);
});

it("says what a sync left out and what searches do not find of it", () => {
  const counts = { added: 3, changed: 0, removed: 0, unchanged: 0, failed: 0, indexing: 0, not_indexed: 1 };
  const sync = { sync_id: "syn_1", base_id: "kb_1", connector: "docs", state: "completed", ...counts };
  const left_out = "Left out: 1 submodules (lib).";
  expect(summaryOf("knowledge.readSync", { ...sync, left_out }, terminal({}, false))?.slice(2)).toEqual([
    "Left out: 1 submodules (lib).",
    "1 document could not be indexed: aos knowledge bases documents list kb_1 --state failed",
  ]);
});

it.each(["tasks.listTasks", "approvals.listApprovals"])("leads the rows of %s with the title", (id) => {
  expect(columnsOfList(id, [{ title: "Refund A-7802 · $240", task_id: "tsk_1" }]).map(({ title }) => title)).toEqual([
    "TITLE",
    "TASK",
  ]);
});

it("shows what messages say, whichever parts they consist of", () => {
  const of = columnsOfList("chat.listMessages", []).find(({ title }) => title === "TEXT")?.of;
  const call = { type: "tool_call", tool: "search_help" };
  expect(of?.({ parts: [call, { type: "text", text: "In three days." }, { type: "citation", title: "Help" }] })).toBe(
    "In three days.",
  );
  expect(of?.({ parts: [{ type: "notice", code: "handoff", text: "Anna answers." }] })).toBe("Anna answers.");
  expect(of?.({ parts: [call] })).toBe("uses search_help");
  expect(of?.({ parts: [] })).toBeUndefined();
});

it("sums up a conversation by who answers and what it waits for", () => {
  const asked = { to: "person", reason: "A refund.", summary: "Asked twice.", summary_generated: true };
  const lines = summaryOf(
    "chat.readConversation",
    {
      conversation_id: "cnv_1",
      agent: "helpdesk",
      version: { number: 2 },
      state: "open",
      title: "Returns",
      handler: { kind: "agent", name: "helpdesk" },
      busy: true,
      waiting: 1,
      user: "anna",
      channel: "api",
      handoff: { ...asked, taken_at: null },
      messages: 4,
      sequence: 9,
      language: null,
      labels: [],
    },
    terminal({}, false),
  );
  expect(lines).toEqual([
    "Returns",
    "cnv_1: open",
    "agent:      helpdesk (version 2)",
    "user:       anna, by api",
    "answers:    helpdesk, the agent; answering now; 1 message in line",
    "handed off: to a person, –, nobody took it yet: A refund.",
    "so far:     Asked twice. (generated)",
    "messages:   4; event 9",
    "read along: aos chat conversations messages list cnv_1 --order oldest",
  ]);
});

describe("a table", () => {
  it("fits the columns of the terminal, counts wide characters as two, and cuts none in the middle", () => {
    const rows = [
      { name: "営業", status: "completed", note: "一つ目の長い説明がここに入ります。とても長いです。" },
      { name: "sales", status: "failed", note: "👩‍👩‍👧 a family and a long text behind it that does not fit" },
    ];
    const lines = tableLines(rows, columns, terminal({ COLUMNS: "40", NO_COLOR: "1" }));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
    expect(lines[1]).toMatch(/^営業 {3}completed {2}一.*…$/);
    expect(lines[2]).toMatch(/^sales {2}failed {5}👩‍👩‍👧/u);
    expect(lines.join("")).not.toContain("\ufffd");
  });

  it("leaves the last columns out where not even their beginnings fit", () => {
    const lines = tableLines(
      [{ name: "a".repeat(18), status: "completed", note: "n".repeat(30) }],
      columns,
      terminal({ COLUMNS: "30", NO_COLOR: "1" }),
    );
    expect(lines).toEqual([`NAME${" ".repeat(16)}STATUS`, `${"a".repeat(18)}  completed`]);
  });

  it("gives the room that is left to all its long columns", () => {
    const long = columns.map((column) => ({ ...column, long: column.title !== "STATUS" }));
    const row = { name: "a".repeat(60), status: "ready", note: "n".repeat(90) };
    const [, line = ""] = tableLines([row], long, terminal({ COLUMNS: "60", NO_COLOR: "1" }));
    expect(line).toBe(`${"a".repeat(24)}…  ready   ${"n".repeat(24)}…`);
  });

  it("is whole and without colours where the output is no terminal, whatever COLUMNS says", () => {
    const note = "n".repeat(200);
    expect(tableLines([{ name: "a", status: "failed", note }], columns, terminal({ COLUMNS: "40" }, false))[1]).toBe(
      `a     failed  ${note}`,
    );
  });

  it("colours states on a terminal, and nothing with NO_COLOR or on a dumb one", () => {
    const rows = [{ name: "a", status: "failed", note: null }];
    expect(tableLines(rows, columns, terminal())[1]).toContain("\u001b[31mfailed");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      expect(tableLines(rows, columns, terminal(env)).join("")).not.toContain("\u001b");
  });

  it("shows nothing of what others wrote that moves a cursor or colours", () => {
    const [, line = ""] = tableLines(
      [{ name: "\u001b[2Jx", status: "a\u202eb", note: "1\n2" }],
      columns,
      terminal({ NO_COLOR: "1" }),
    );
    expect(line).toBe("\\u001b[2Jx  a\\u202eb  1 2");
  });

  it("of a list that nobody chose columns for has its plain values, as far as a line holds them", () => {
    const rows = [{ id: "x", nested: { a: 1 }, labels: ["a", "b"], empty: null }];
    expect(columnsOfList("some.list", rows).map(({ title }) => title)).toEqual(["ID", "LABELS"]);
  });
});

describe("a text", () => {
  it("is cut to what fits, and never wider than that", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.integer({ min: 0, max: 20 }), (text, room) => {
        expect(widthOf(fitted(text, room))).toBeLessThanOrEqual(Math.max(room, 0));
        expect(widthOf(padded(text, room))).toBeGreaterThanOrEqual(Math.min(room, widthOf(text)));
      }),
    );
  });

  it("is wrapped between words without losing one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 30 }),
        fc.integer({ min: 12, max: 40 }),
        (words, room) => {
          const lines = wrapped(words.join(" "), room);
          expect(lines.join(" ").split(" ")).toEqual(words.length === 0 ? [""] : words);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});

describe("the detail of a thing", () => {
  it("stands line by line, what is inside below its name", () => {
    const lines = detailLines(
      {
        id: "x",
        risk: { level: "high", floors: [] },
        steps: [
          { n: 1, ok: true },
          { n: 2, ok: null },
        ],
        text: "a\nb",
      },
      terminal(),
    );
    expect(lines.map(plain)).toEqual([
      "id: x",
      "risk:",
      "  level:  high",
      "  floors: –",
      "steps:",
      "  - n:  1",
      "    ok: yes",
      "  - n:  2",
      "    ok: –",
      "text:",
      "  a",
      "  b",
    ]);
  });
});

describe("progress", () => {
  it("is one line on a terminal, taken away at the end, and nothing elsewhere", () => {
    let written = "";
    const stderr = { write: (text: string) => (written += text) };
    const progress = progressOn(terminal({ COLUMNS: "20" }, true, { stderr, showsProgress: true }));
    progress.say("25 so far and some more words …");
    progress.done();
    progress.done();
    expect(written).toBe("\r\u001b[K25 so far and some…\r\u001b[K");
    written = "";
    progressOn(terminal({}, true, { stderr })).say("x");
    expect(written).toBe("");
  });
});

it("shows health, dependents, validations and previews of agents as tables", () => {
  const shown = (id: string, body: object) => summaryOf(id, body, terminal({}, false))?.join("\n") ?? "";
  const check = { check: "gate", subject: null, state: "warning", detail: "The gate is expired.", remedy: "Evaluate." };
  const health = {
    agent: "sales",
    environment: "staging",
    version: 2,
    ready: true,
    state: "degraded",
    checks: [check],
  };
  expect(shown("agents.readHealth", health)).toMatch(/^sales in staging: degraded \(version 2\)[\s\S]*gate +warning/);
  const used = { kind: "workflow", id: "intake", name: "intake", state: "live", active: true, path: "" };
  const dependents = { agent: "sales", dependents: [used], active: 1, unseen: ["mission"], more: false };
  expect(shown("agents.readDependents", dependents)).toMatch(/1 break[\s\S]*intake[\s\S]*may not read: mission/);
  const cost = { skill: "answer", basis: "past_tasks", tasks: 9, mean_usd: 0.02, low: 0.01, high: 0.03, p90_usd: 0.04 };
  const verdict = {
    action: "tool.call",
    skill: "answer",
    tool: "pay",
    verdict: "deny",
    reasons: ["No."],
    policies: [],
  };
  const validation = { agent: "sales", revision: 3, valid: false, findings: [], verdicts: [verdict], costs: [cost] };
  expect(shown("agents.validateDraft", validation)).toMatch(/not valid here[\s\S]*pay +deny[\s\S]*0\.01 to 0\.03/);
  const call = { tool: "pay", outcome: "withheld", arguments: { usd: 5 }, result: {} };
  const preview = {
    agent: "sales",
    version: null,
    task: "answer",
    status: "completed",
    output: { ok: true },
    calls: [call],
    findings: [],
  };
  expect(shown("agents.previewAgent", { ...preview, steps: 2, tokens: 10, cost_usd: 0, ms: 5 })).toMatch(
    /the draft: completed[\s\S]*pay +withheld[\s\S]*nothing was stored/,
  );
});

describe("passages", () => {
  const passage = {
    citation: "cit_1",
    base: "handbook",
    title: "Returns",
    headings: ["Returns", "Damaged goods"],
    text: "Goods may be returned\nwithin 30 days.",
    first_page: 3,
    last_page: 4,
    highlights: [{ start: 13, end: 21 }],
  };
  const answer = { answered: true, corrected: [], data: [passage] };

  it("show place, marks and citation, without colours as with them", () => {
    expect(searchLines(answer, terminal({}, false))).toEqual([
      "1. Returns  handbook, Returns › Damaged goods, pages 3–4",
      "   Goods may be *returned* within 30 days.",
      "   cit_1",
    ]);
    expect(searchLines(answer, terminal()).map(plain)[1]).toBe("   Goods may be returned within 30 days.");
  });

  it("say when nothing good was found, and what was corrected", () => {
    const corrected = [{ from: "retrun", to: "return" }];
    expect(searchLines({ answered: false, corrected, data: [] }, terminal({}, false))).toEqual([
      "Nothing was found.",
      "Read “retrun” as “return”.",
    ]);
    expect(searchLines({ ...answer, answered: false }, terminal({}, false))[0]).toMatch(/^Nothing good was found/);
  });
});

it.each([
  "agents.listSchedules",
  "analytics.listAlerts",
  "analytics.listReports",
  "audit.listSinks",
  "chat.listChannels",
  "evaluations.listMonitors",
  "knowledge.listConnectors",
  "workflows.listTriggers",
])("shows why something stopped where any of a list did: %s", (id) => {
  const titles = (rows: readonly Record<string, unknown>[]) => columnsOfList(id, rows).map(({ title }) => title);
  const runs = { name: "one", stopped_reason: null };
  const stopped = { name: "two", stopped_reason: "Stopped: Alice was removed from the organization." };
  expect(titles([runs])).not.toContain("STOPPED");
  expect(titles([])).not.toContain("STOPPED");
  expect(titles([runs, stopped])).toContain("STOPPED");
});

it.each([
  [[], "paid: archived"],
  [["staging"], "paid: out of service in production; still live in staging. Archive it there too."],
  [
    ["development", "staging"],
    "paid: out of service in production; still live in development and staging. Archive it in each of them too.",
  ],
])("says in a sentence where an archived workflow is still live: %j", (live_elsewhere, line) => {
  const body = { name: "paid", environment: "production", live_elsewhere };
  expect(summaryOf("workflows.archiveWorkflow", body, terminal({}, false))).toEqual([line]);
});

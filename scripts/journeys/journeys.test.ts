import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import type { AgentDocument } from "./definition.ts";
import { leadCases, leads } from "./leads.ts";
import { questionCases, routing } from "./routing.ts";
import { runJourney } from "./run.ts";

describe("the cases of the leads", () => {
  it("keep the outcome out of the record, take numbers as numbers, and leave out what is empty", () => {
    const rows = [
      { lead_id: "ld_1", Converted: "1", Visits: "2.0", City: "Porto", Score: "7" },
      { lead_id: "ld_2", Converted: "0", Visits: "", City: "12", Score: "n/a" },
    ];
    expect(leadCases(rows)).toEqual([
      {
        input: { lead_id: "ld_1" },
        output: { converted: true },
        record: { external_id: "ld_1", fields: { Visits: 2, City: "Porto", Score: "7" } },
      },
      {
        input: { lead_id: "ld_2" },
        output: { converted: false },
        record: { external_id: "ld_2", fields: { City: "12", Score: "n/a" } },
      },
    ]);
  });
});

describe("the agent of the questions", () => {
  it("is told the intents of the data, each once", () => {
    const cases = questionCases(["b", "a", "b"].map((category, at) => ({ text: `Question ${at}`, category })));
    const definition: AgentDocument = {
      agent: "routing",
      skills: [{ name: "route_question", output: { properties: { intent: {} } } }],
    };
    routing.complete?.(definition, cases);
    expect(definition.skills[0]?.output.properties.intent?.enum).toEqual(["a", "b"]);
    expect(cases[0]).toEqual({ input: { question: "Question 0" }, output: { intent: "b" } });
  });
});

describe("the command of a journey", () => {
  let folder: string;
  let said: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-journey-test-"));
    said = "";
    const hear = (text: string | Uint8Array): boolean => {
      said += String(text);
      return true;
    };
    vi.spyOn(process.stderr, "write").mockImplementation(hear);
    vi.spyOn(process.stdout, "write").mockImplementation(hear);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it("says how it is used where that is asked for", async () => {
    expect(await runJourney(leads, ["--help"])).toBe(0);
    expect(said).toContain("npm run journey:leads -- <data.csv>");
  });

  it.each([
    [[], "Name one file"],
    [["a.csv", "b.csv"], "Name one file"],
    [["a.csv", "--tasks", "none"], "--tasks takes a whole number from 2"],
    [["a.csv", "--tasks", "10", "--reviewed", "10"], "--reviewed leaves no task"],
    [["a.csv", "--speed", "1"], "--speed"],
    [["/nowhere/a.csv"], "cannot be read"],
  ])("refuses %j before anything is started, and says how it is used", async (args, words) => {
    expect(await runJourney(leads, args)).toBe(2);
    expect(said).toContain(words);
    expect(said).toContain("Usage:");
  });

  it("says in a line why it broke off, where the service cannot be called", async () => {
    const file = path.join(folder, "leads.csv");
    await writeFile(
      file,
      ["lead_id,City,Converted", ...Array.from({ length: 30 }, (_, at) => `ld_${at},Porto,${at % 2}`)].join("\n"),
    );
    vi.stubEnv("AOS_URL", "http://127.0.0.1:9");
    vi.stubEnv("AOS_KEY", "none");
    expect(await runJourney(leads, [file, "--tasks", "10"])).toBe(1);
    expect(said).toMatch(/The journey broke off: http:\/\/127\.0\.0\.1:9\/.* cannot be reached/);
    vi.stubEnv("AOS_KEY", "");
    expect(await runJourney(leads, [file, "--tasks", "10"])).toBe(1);
    expect(said).toContain("AOS_URL and AOS_KEY go together");
  });

  it("names the columns that the data lacks", async () => {
    const file = path.join(folder, "leads.csv");
    await writeFile(file, "lead_id,City\nld_1,Porto\n");
    expect(await runJourney(leads, [file])).toBe(2);
    expect(said).toContain("lacks the columns Converted");
  });
});

it.each([leads, routing])(
  "goes out from an agent's file that names what the journey of $name judges",
  async ({ file, field }) => {
    const { skills } = parse(await readFile(file, "utf8")) as AgentDocument;
    expect(Object.keys(skills[0]?.output.properties ?? {})).toContain(field);
  },
);

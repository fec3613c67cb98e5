import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { insideOperations, publishedOperations } from "../../../scripts/checks/registry.ts";
import { titlesOf } from "../../../scripts/checks/sizes.ts";
import { contents } from "../../src/kernel/decides.ts";
import { describe as describeOperation } from "../../src/kernel/operation-seal.ts";

// Walks the tables of docs/decisions/0064-who-is-accountable-for-a-call.md.

const page = "docs/decisions/0064-who-is-accountable-for-a-call.md";
const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");

/** The rows of the table under a heading, as cells. */
function rowsUnder(heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split(/\n(?:## |\*\*)/)[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const acting = rowsUnder("Ways that act later").map(([number = "", way = "", , tests = ""]) => ({
  number,
  way,
  tests,
}));
const deciding = rowsUnder("Ways that decide content").map(
  ([number = "", way = "", decides = "", rule = "", tests = ""]) => ({ number, way, decides, rule, tests }),
);
const asking = rowsUnder("Operations that ask people");
const wordsIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word as string);

interface Named {
  readonly title: string;
  readonly body: string;
}

/** The tests of a file that run in each environment that demands a second person: of each, or of a list made from these. */
function strictTests(file: string): Named[] {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const made = [...source.matchAll(/^const (\w+) =[^;]*\bstrictEnvironments\b/gm)].map(([, name]) => name);
  const lists = `(?:${["strictEnvironments", ...made].join("|")})`;
  const blocks = [...source.matchAll(new RegExp(`^describe\\.each\\(${lists}\\)\\([\\s\\S]*?^\\}\\);`, "gm"))];
  const alone = [...source.matchAll(new RegExp(`\\bit\\.each\\(${lists}\\)\\(\\s*(["'\`])(.*?)\\1`, "g"))];
  return [
    ...alone.map(({ index, 2: title }) => ({ title: title as string, body: callAt(source, index) })),
    ...blocks.flatMap(([block]) =>
      titlesOf(block).map(({ title }) => ({
        title,
        body: callAt(block, block.lastIndexOf("\n", block.indexOf(title)) + 1),
      })),
    ),
  ];
}

/** The text of a call or declaration from `at` on: up to the line that closes it. */
function callAt(source: string, at: number): string {
  const line = source.lastIndexOf("\n", at) + 1;
  const indent = /^ */.exec(source.slice(line))?.[0] ?? "";
  const end = new RegExp(`\n${indent}[)}\\]]|;\n(?=\n)`, "g");
  end.lastIndex = at;
  const found = end.exec(source);
  return source.slice(at, found ? found.index : undefined);
}

/** A test's body with the helpers of its file and of its fixtures that it calls, and those that these call. */
function withHelpers(file: string, body: string): string {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const fixtures = [...source.matchAll(/from "\.\/([\w.-]+\.fixture\.ts)"/g)].map(([, name]) => name as string);
  const all = [source, ...fixtures.map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))];
  const helpers = new Map<string, string>();
  for (const text of all)
    for (const found of text.matchAll(/^ *(?:export )?(?:async )?(?:function|const) (\w+)/gm))
      helpers.set(found[1] as string, callAt(text, found.index));
  const taken = new Set<string>();
  let whole = body;
  for (let more = body; more !== ""; whole += more) {
    const next = [...helpers].filter(([name]) => !taken.has(name) && new RegExp(`\\b${name}\\b`).test(more));
    for (const [name] of next) taken.add(name);
    more = next.map(([, text]) => text).join("\n");
  }
  return whole;
}

const refusal = /"(four_eyes|not_permitted|decided_by_you)"/;
const stop = /stopped_reason|"stopped"|"blocked"|"withheld"|toBeUndefined|"failed"|_not_permitted"/;
/** The other side of a refusal, which another test of the row expects. */
const isOtherSide = (title: string): boolean => / approves once | starts although /.test(title);

/** What is wrong with the tests that a row names. `expected`: what their bodies expect. */
function wrongIn(cell: string, expected: readonly RegExp[]): string[] {
  const named = [...cell.matchAll(/`([\w-]+\.test\.ts)` "([^"]+)"/g)];
  if (named.length === 0) return ['names no test: write `file.test.ts` "start of its title"'];
  let refusing = 0;
  const wrong = named.flatMap(([, file = "", words = ""]) => {
    if (!existsSync(new URL(file, import.meta.url))) return [`server/test/accountable/${file} does not exist`];
    const found = strictTests(file).filter(({ title }) => title.includes(words));
    if (found.length === 0) return [`${file} has no test of \`strictEnvironments\` with "${words}" in its title`];
    if (found.some(({ body }) => expected.some((one) => one.test(withHelpers(file, body))))) {
      refusing++;
      return [];
    }
    if (found.every(({ title }) => isOtherSide(title))) return [];
    return [`the test "${words}" of ${file} expects no refusal`];
  });
  return refusing === 0 && wrong.length === 0 ? ["no test of it expects a refusal"] : wrong;
}

describe("the tables of the decision record", () => {
  it("number their rows", () => {
    for (const table of [acting, deciding]) {
      expect(table.length).toBeGreaterThanOrEqual(18);
      expect(table.map(({ number }) => number)).toEqual(table.map((_, at) => String(at + 1)));
    }
  });

  it.each(acting)("hold what acts later by a test: $number, $way", ({ tests }) => {
    expect(wrongIn(tests, [refusal, stop])).toEqual([]);
  });

  it.each(deciding)("hold who decides content by a test: $number, $way", ({ tests }) => {
    expect(wrongIn(tests, [refusal])).toEqual([]);
  });

  it.each(Object.entries(contents))("have a row with the rule of what operations decide as %s", (name, { rule }) => {
    const row = deciding.find(({ decides }) => wordsIn(decides).includes(name));
    expect(row, `add a row for ${name} of kernel/decides.ts to ${page}, with a test here`).toBeDefined();
    expect(row?.rule[0]).toBe(rule);
  });

  it("name nothing that operations do not decide", () => {
    const named = deciding.flatMap(({ decides }) => wordsIn(decides));
    expect(named.filter((name) => !Object.hasOwn(contents, name))).toEqual([]);
  });
});

describe("the operations that ask people", () => {
  const operations = [...publishedOperations().map(describeOperation), ...insideOperations()];
  const all = operations
    .filter(({ emits }) => emits.some(({ type }) => type === "task.approval_required"))
    .map(({ id }) => id);
  const listed = asking.map(([id = ""]) => id.replaceAll("`", ""));

  it("are all listed in the decision record, and no others", () => {
    const what = [
      ...all
        .filter((id) => !listed.includes(id))
        .map(
          (id) =>
            `${id} emits task.approval_required: a new way in. Say in ${page}, under "Operations that ask people", which rows it carries out, or add a row with a test in server/test/accountable/ in which who decides it is refused with four_eyes`,
        ),
      ...listed.filter((id) => !all.includes(id)).map((id) => `${id} asks nobody: take it out of ${page}`),
    ];
    expect(what).toEqual([]);
  });

  it("each carry out rows of the tables", () => {
    const tables = [acting, deciding].map((table) => table.map(({ number }) => number));
    for (const [, ...cells] of asking)
      for (const [at, known] of tables.entries())
        expect(known).toEqual(expect.arrayContaining(cells[at]?.split(", ") ?? []));
  });
});

import { type OperationEntry, operations } from "@aos/sdk/operations";
import { describe, expect, it } from "vitest";
import { createProgram, type Given, place } from "../command.ts";
import { COMMANDS } from "../commands.ts";
import { argumentsOf, defineOperation } from "./command.ts";
import { operationCommands } from "./commands.ts";
import { exampleOf } from "./example.ts";
import { commandsOf, findOperation, type OperationCommand } from "./names.ts";
import { callOptions, valueOptions } from "./options.ts";
import { requestOf } from "./request.ts";

const commands = operationCommands();
const table = commands.map((command): [string, OperationCommand] => [command.operation.id, command]);
const terminal = {
  stdin: process.stdin,
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  isTTY: false,
};

/** Words as a POSIX shell reads them: quoted by ', or with a backslash before. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/gs))
    words.push(word.replaceAll(/'([^']*)'|\\(.)/gs, "$1$2"));
  return words;
}

describe("the commands of operations", () => {
  it("are as many as the operations", () => {
    expect(commands.map(({ operation }) => operation.id)).toEqual(Object.keys(operations));
  });

  it("have names that no other has, aliases included", () => {
    const names = commands.flatMap(({ words, aliases }) => [words, ...aliases].map((name) => name.join(" ")));
    expect(new Set(names).size).toBe(names.length);
  });

  it("begin with their group, and are plain words", () => {
    for (const { operation, words } of commands) {
      // Inbound hooks have an address of their own.
      expect(words[0]).toBe(operation.path.startsWith("/v1/hooks") ? "hooks" : operation.group);
      for (const word of words) expect(word).toMatch(/^[a-z][a-z0-9-]*$/);
    }
  });

  it("stand behind commands by hand only where these make the same call", () => {
    const byHand = new Set(COMMANDS.map(({ words }) => words.join(" ")));
    const replaced = commands.filter(({ words }) => byHand.has(words.join(" ")));
    expect(replaced.map(({ operation }) => operation.id).sort()).toEqual([
      "approvals.approve",
      "approvals.reject",
      "knowledge.search",
    ]);
    for (const name of commands.flatMap(({ aliases }) => aliases.map((alias) => alias.join(" "))))
      expect(byHand.has(name)).toBe(false);
  });

  it.each([
    ["tasks list", "tasks.listTasks"],
    ["tasks cancel tsk_1", "tasks.cancelTask"],
    ["tasks show tsk_1", "tasks.readTask"],
    ["tasks result tsk_1", "tasks.readTaskResult"],
    ["governance policies create -f policy.yaml", "governance.createPolicy"],
    ["governance policies", "governance.listPolicies"],
    ["agents versions freeze sales", "agents.freezeVersion"],
    ["agents versions create sales", "agents.freezeVersion"],
    ["agents deploy-version sales", "agents.deployVersion"],
    ["agents.deployVersion sales", "agents.deployVersion"],
    ["admin keys rm key_1", "admin.revokeKey"],
    ["audit events proof aud_1", "audit.readProof"],
  ])("are found by what people type: %s", (typed, id) => {
    expect(findOperation(commands, typed.split(" "))?.command.operation.id).toBe(id);
  });

  it("of which two would share a name keep it for a single thing", () => {
    const like = (id: string, path: string): OperationEntry => ({
      ...operations["tasks.cancelTask"],
      id,
      name: id.slice(6),
      path,
      pathParameters: path.includes("{") ? operations["tasks.cancelTask"].pathParameters : [],
    });
    const [one, many] = commandsOf([
      like("tasks.cancelTask", "/v1/tasks/{task}/cancel"),
      like("tasks.cancelTasks", "/v1/tasks/cancel"),
    ]);
    expect([one?.words, many?.words]).toEqual([
      ["tasks", "cancel"],
      ["tasks", "cancel-tasks"],
    ]);
  });
});

describe.each(table)("the command of %s", (_id, command) => {
  const { operation } = command;
  const options = [...valueOptions(operation), ...callOptions(operation)];

  it("has options that no other of it has the name of", () => {
    const names = options.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has an option for each parameter of the query, and for each field of the body that --field does not have to say", () => {
    const own = valueOptions(operation);
    const named = (into: string): string[] =>
      own.filter((option) => option.into === into).map(({ value }) => value.name);
    expect([...named("query"), "limit"]).toEqual(
      expect.arrayContaining(operation.queryParameters.map(({ name }) => name)),
    );
    // `--file` names the whole body in every command.
    const fields = (operation.body?.fields ?? []).map(({ name }) => name).filter((name) => name !== "file");
    expect(named("body")).toEqual(fields);
  });

  it("makes, by the example of its help, the call of the operation with the body of its example", async () => {
    const example = exampleOf(command);
    const words = shellWords(example).slice(1);
    const found = findOperation(commands, words);
    expect(found?.command.operation.id).toBe(operation.id);
    const program = createProgram(terminal);
    const leaf = place(program, command.words);
    for (const argument of argumentsOf(operation)) leaf.addArgument(argument);
    let given: Given | undefined;
    defineOperation(leaf, command).run(async (all) => {
      given = all;
      return 0;
    });
    expect(await program.execute(words)).toBe(0);
    const request = await requestOf(operation, given as Given, valueOptions(operation));
    expect([request.method, request.path.split("/").length]).toEqual([
      operation.method,
      operation.path.split("/").length,
    ]);
    expect(request.path).not.toMatch(/[{}<>]|%3C/);
    const body = operation.body?.example;
    expect(request.sending.json ?? {}).toEqual(body ?? {});
  });
});

import type { Decision, WantedOperation } from "./arguments.ts";

const text = (value: string): string => JSON.stringify(value);
const decided = (decision: Decision, value: (text: string) => string): string =>
  "exempt" in decision ? `exempt(${text(decision.exempt)})` : value(decision.value);

/** The operation: it compiles, and refuses or fails until it is written. */
export function operationFile(wanted: WantedOperation): string {
  const { id, name, method, path, parameters, summary, permission, gate, action } = wanted;
  const change = method !== "GET";
  const define = change ? "defineOperation" : "defineRead";
  const decisions = change ? [permission, gate, action] : [permission, action];
  const used = [
    define,
    ...(parameters.length === 0 || decisions.some((one) => "exempt" in one) ? ["exempt"] : []),
    ...("exempt" in action ? [] : ["governs"]),
  ];
  const params = parameters
    .map((one) => `${one}: Type.String({ description: ${text(`The ${one.replaceAll("_", " ")}.`)} })`)
    .join(", ");
  const example =
    parameters.length > 0 ? `params: { ${parameters.map((one) => `${one}: "example"`).join(", ")} }, ` : "";
  const object =
    parameters.length > 0
      ? `({ params }) => \`${parameters.at(-1)}:\${params.${parameters.at(-1)}}\``
      : text(wanted.group);
  return `import { Type } from "typebox";
${parameters.length > 0 ? "" : 'import { whole } from "../../../kernel/narrowing.ts";\n'}import { ${used.join(", ")} } from "../../../kernel/operation.ts";

export const ${name} = ${define}({
  id: ${text(id)},
${change ? `  method: ${text(method)},\n` : ""}  path: ${text(path)},
  summary: ${text(summary)},
${parameters.length > 0 ? `  params: Type.Object({ ${params} }),\n` : ""}  output: Type.Object({}),
  example: { ${example}output: {} },
  permission: ${decided(permission, text)},
  load: ${parameters.length > 0 ? "() => undefined" : 'exempt("names no object")'},
${parameters.length > 0 ? "" : '  narrowing: whole("says nothing yet of the agents that it concerns"),\n'}${change ? `  gate: ${decided(gate, text)},\n` : ""}  compliance: ${decided(action, (value) => `governs(${text(value)})`)},
  audit: ${object},
  handle() {
    throw new Error(${text(`${id} does nothing yet`)});
  },
});
`;
}

/** Its test, which fails until the operation answers something. */
export function testFile({ id, method, path, parameters }: WantedOperation): string {
  const address = parameters.length > 0 ? `\`${path.replaceAll("{", "${params.")}\`` : text(path);
  const needed = [...(parameters.length > 0 ? ["params"] : []), ...(method === "GET" ? [] : ["body: given"])];
  const imports =
    needed.length > 0 ? 'import { type Arrange, arrange } from "../../../../test/arrangements.ts";\n' : "";
  const given =
    needed.length > 0
      ? `  const { ${needed.join(", ")} } = await (arrange[${text(id)}] as Arrange)(app, "development");\n`
      : "";
  return `import { expect, it } from "vitest";
${imports}import { useApp } from "../../../testing/app.ts";

const app = useApp();

it(${text(`${id} answers what was asked for`)}, async () => {
${given}  const { status, body } = await app.call(${text(method)}, ${address}${method === "GET" ? "" : ", { body: given }"});
  expect(status).toBe(200);
  expect(body).not.toEqual({});
});
`;
}

/** What is known of how things are arranged that a path names; of anything else there is an example, which nothing answers to yet. */
const arrangedParameters: Readonly<Record<string, string>> = {
  agent: '"sales"',
  task: "await waitingTask(app, environment)",
  approval: "await waitingTask(app, environment)",
};

/** The entry among the arrangements. */
export function arrangement({ id, parameters, method }: WantedOperation): {
  readonly entry: string;
  readonly imports: readonly string[];
} {
  const params = parameters.map((one) => `${one}: ${arrangedParameters[one] ?? '"example"'}`).join(", ");
  const imports = params.includes("waitingTask") ? ["waitingTask"] : [];
  const given = imports.length > 0 ? "app, environment" : "";
  return {
    entry: `${JSON.stringify(id)}: async (${given}) => ({ params: { ${params} }${method === "GET" ? "" : ", body: {}"} })`,
    imports,
  };
}

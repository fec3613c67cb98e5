import type { Decision, WantedOperation } from "./arguments.ts";

const text = (value: string): string => JSON.stringify(value);
const decided = (decision: Decision, value: (text: string) => string): string =>
  "exempt" in decision ? `exempt(${text(decision.exempt)})` : value(decision.value);

const contentList = (value: string): string => {
  const names = value.split(",");
  return names.length === 1 ? text(value) : `[${names.map(text).join(", ")}]`;
};

const isList = ({ method, name, path }: WantedOperation): boolean =>
  method === "GET" && name.startsWith("list") && !path.endsWith("}");

/** The operation: it compiles, and fails until it is written. */
export function operationFile(wanted: WantedOperation): string {
  const { id, name, method, path, parameters, summary, permission, gate, decides, action } = wanted;
  const list = isList(wanted);
  const change = method !== "GET";
  const named = parameters.length > 0;
  const last = parameters.at(-1);
  const define = list ? "defineList" : change ? "defineOperation" : "defineRead";
  const whole = named ? "" : 'narrowing: whole("says nothing yet of the agents that it concerns"),';
  const params = parameters.map(
    (one) => `${one}: Type.String({ description: ${text(`The ${one.replaceAll("_", " ")}.`)} })`,
  );
  const example = named ? `params: { ${parameters.map((one) => `${one}: "example"`).join(", ")} }, ` : "";
  const nothing = `throw new Error(${text(`${id} does nothing yet`)});`;
  const words = [
    ...(list ? [] : [define]),
    ...(change || (!list && !named) || "exempt" in permission || "exempt" in action ? ["exempt"] : []),
    ...("exempt" in action ? [] : ["governs"]),
  ];
  return `import { Type } from "typebox";
${list ? 'import { defineList } from "../../../kernel/listing.ts";' : ""}
${named ? "" : 'import { whole } from "../../../kernel/narrowing.ts";'}
${words.length > 0 ? `import { ${words.join(", ")} } from "../../../kernel/operation.ts";` : ""}

export const ${name} = ${define}({
  id: ${text(id)},
  ${change ? `method: ${text(method)},` : ""}
  path: ${text(path)},
  summary: ${text(summary)},
  ${named ? `params: Type.Object({ ${params.join(", ")} }),` : ""}
  ${change ? "body: Type.Object({}, { additionalProperties: false })," : ""}
  ${list ? "item: Type.Object({ id: Type.String() })," : "output: Type.Object({}),"}
  example: { ${example}${change ? "body: {}, " : ""}${list ? 'item: { id: "example" }' : "output: {}"} },
  permission: ${decided(permission, text)},
  ${named ? "load: () => undefined," : list ? "" : 'load: exempt("names no object"),'}
  ${whole}
  ${change ? `gate: ${decided(gate, text)},` : ""}
  ${change ? `decides: ${decided(decides, contentList)},` : ""}
  compliance: ${decided(action, (value) => `governs(${text(value)})`)},
  audit: ${named ? `({ params }) => \`${last}:\${params.${last}}\`` : text(wanted.group)},
  ${
    list
      ? `read: (): Promise<{ id: string }[]> => { ${nothing} },
  position: ({ id }) => id,
  view: ({ id }) => ({ id }),`
      : `handle() { ${nothing} },`
  }
});
`.replaceAll(/\n\s*\n(?! *export)/g, "\n");
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

/** The declaration of a new group. */
export const sliceFile = (about: string): string => `import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";

export const slice = defineSlice({
  about: ${text(about)},
  schemas,
  actions: {},
});
`;

/** Its shared schemas: none yet. */
export const schemasFile = `// Shapes on the wire. What is exported here is a component of the API description, under its name.
export {};
`;

/** The declaration of a slice with the action among its own; undefined where it is not of that form. */
export function withAction(slice: string, action: Decision): string | undefined {
  if ("exempt" in action) return slice;
  const actions = /^( {2}actions: \{)((?:[^{}]|\{[^{}]*\})*)\},\n/m;
  if (!actions.test(slice)) return undefined;
  return slice.replace(actions, (_whole, head: string, inner: string) => {
    const there = inner.match(/(?:"[^"]+"|\w+): \{[^}]*\}/g) ?? [];
    const entries = [...there, `${text(action.value)}: {}`].sort();
    return `${head}\n${entries.map((entry) => `    ${entry},\n`).join("")}  },\n`;
  });
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

/** The arrangements of a resource that has none yet. */
export const arrangementsFile = `import type { Arrangements } from "../../../test/arrangements/arranged.ts";

export const arrange: Arrangements = {};
`;

/** A resource as it is asked for. */
export interface WantedResource {
  readonly group: string;
  /** Its noun in lowercase letters: `note`. */
  readonly noun: string;
  /** The prefix of its ids: `nte`. */
  readonly prefix: string;
  readonly table: string;
  readonly path: string;
  /** The verb of the permission that changes take: `write`. */
  readonly change: string;
  /** Below `server/src/features`. */
  readonly folder: string;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const schemas = ({ noun, prefix }: WantedResource): string => `import { type Static, Type } from "typebox";
import { closed, Time } from "~/kernel/schema-words.ts";

export const ${capital(noun)}Id = Type.String({ description: "The ${noun}'s id, \`${prefix}_…\`." });

const text = Type.String({ minLength: 1, maxLength: 2_000, description: "What the ${noun} says." });

export const Create${capital(noun)}Body = Type.Object({ text }, { ...closed, description: "A new ${noun}." });

export const Change${capital(noun)}Body = Type.Object({ text }, { ...closed, description: "What changes." });

export const ${capital(noun)} = Type.Object(
  {
    ${noun}_id: ${capital(noun)}Id,
    text,
    revision: Type.Integer({ description: "Counts changes." }),
    created_by: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "A ${noun}, in one environment." },
);
export type ${capital(noun)} = Static<typeof ${capital(noun)}>;

export const Removed${capital(noun)} = Type.Object({ ${noun}_id: ${capital(noun)}Id, removed: Type.Literal(true) });
`;

const example = ({ noun, prefix }: WantedResource): string => `import type { ${capital(noun)} } from "./schemas.ts";

export const example${capital(noun)}: ${capital(noun)} = {
  ${noun}_id: "${prefix}_01jd8x0000000000000000000a",
  text: "An example.",
  revision: 1,
  created_by: "mbr_01jd8x0000000000000000000a",
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:00:00.000Z",
};
`;

const resource = ({
  group,
  noun,
  prefix,
  table,
  path,
  change,
}: WantedResource): string => `import { Type } from "typebox";
import { isoTime } from "~/kernel/clock.ts";
import { isId } from "~/kernel/ids.ts";
import { whole } from "~/kernel/narrowing.ts";
import { exempt } from "~/kernel/operation.ts";
import { defineResource } from "~/resources/resource.ts";
import { erasedBy, ownTables, untilRemoved } from "~/resources/tables.ts";
import { example${capital(noun)} } from "./example.ts";
import { ${capital(noun)}, ${capital(noun)}Id } from "./schemas.ts";

export const owned = ownTables({
  ${table}: {
    keeps: untilRemoved("A ${noun} is deleted by people."),
    personal: { columns: ["text", "author"], erased: erasedBy("${group}.remove${capital(noun)}") },
  },
});

const ofNoAgent = whole("${noun}s concern no agent");

export const ${noun}s = defineResource({
  table: owned.${table},
  key: "id",
  isKey: (text) => isId(text, "${prefix}"),
  path: "${path}",
  member: Type.Object({ ${noun}: ${capital(noun)}Id }),
  item: ${capital(noun)},
  identity: "${noun}_id",
  example: { params: { ${noun}: example${capital(noun)}.${noun}_id }, item: example${capital(noun)} },
  view: ({ id, text, revision, author, created_at, updated_at }) => ({
    ${noun}_id: id,
    text,
    revision,
    created_by: author,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }),
  revision: ({ revision }) => revision,
  object: "${noun}",
  objects: "${noun}s",
  permission: { read: "${group}:read", change: "${group}:${change}" },
  governs: { read: "${noun}.read", change: "${noun}.change" },
  narrowing: { one: ofNoAgent, all: ofNoAgent },
  decides: exempt("no agent reads ${noun}s"),
});
`;

const create = ({
  group,
  noun,
  prefix,
  path,
}: WantedResource): string => `import { defineOperation, exempt } from "~/kernel/operation.ts";
import { example${capital(noun)} } from "../example.ts";
import { ${noun}s } from "../resource.ts";
import { Create${capital(noun)}Body } from "../schemas.ts";

export const create${capital(noun)} = defineOperation({
  ...${noun}s.changeOfAll(),
  ...${noun}s.answer,
  id: "${group}.create${capital(noun)}",
  method: "POST",
  status: 201,
  summary: "Create a ${noun}",
  body: Create${capital(noun)}Body,
  example: { body: { text: example${capital(noun)}.text }, output: example${capital(noun)} },
  location: (made) => \`${path}/\${made.${noun}_id}\`,
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? \`${noun}:\${output.${noun}_id}\` : "${noun}s"),
  async handle(ctx, { body }) {
    const now = new Date(ctx.now);
    const row = { id: ctx.newId("${prefix}"), ...body, author: ctx.principal.id, created_at: now, updated_at: now };
    return ${noun}s.view(await ${noun}s.rows.insert(ctx, row), ctx);
  },
});
`;

const change = ({
  group,
  noun,
}: WantedResource): string => `import { changedMeanwhile } from "~/kernel/changed-meanwhile.ts";
import { refuse } from "~/kernel/errors.ts";
import { defineOperation, exempt } from "~/kernel/operation.ts";
import { notFound } from "~/kernel/problems.ts";
import type { RowOf } from "~/resources/resource.ts";
import { example${capital(noun)} } from "../example.ts";
import { ${noun}s } from "../resource.ts";
import { Change${capital(noun)}Body } from "../schemas.ts";

export const change${capital(noun)} = defineOperation({
  ...${noun}s.changeOfOne(),
  ...${noun}s.answer,
  id: "${group}.change${capital(noun)}",
  method: "PATCH",
  summary: "Change a ${noun}",
  body: Change${capital(noun)}Body,
  example: {
    params: { ${noun}: example${capital(noun)}.${noun}_id },
    body: { text: "Another example." },
    output: { ...example${capital(noun)}, text: "Another example.", revision: 2 },
  },
  mayMatch: ({ revision }: RowOf<typeof ${noun}s>) => revision,
  gate: exempt("makes no agent act"),
  async handle(ctx, { loaded, body }) {
    const row = await ${noun}s.rows.lock(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The ${noun} was just removed.");
    if (ctx.basedOnLoaded && row.revision !== loaded.revision) throw changedMeanwhile();
    const revised = { ...body, revision: row.revision + 1, updated_at: new Date(ctx.now) };
    return ${noun}s.view(await ${noun}s.rows.update(ctx, row, revised), ctx);
  },
});
`;

const plain = (
  { group, noun }: WantedResource,
  kind: "list" | "read" | "remove",
): string => `import { ${noun}s } from "../resource.ts";
${kind === "remove" ? `import { Removed${capital(noun)} } from "../schemas.ts";\n` : ""}
export const ${kind}${capital(noun)}${kind === "list" ? "s" : ""} = ${noun}s.${kind}Operation({
  id: "${group}.${kind}${capital(noun)}${kind === "list" ? "s" : ""}",
  summary: "${capital(kind)} ${kind === "list" ? `${noun}s` : `a ${noun}`}",
${kind === "remove" ? `  output: Removed${capital(noun)},\n` : ""}});
`;

const test = ({ noun, path }: WantedResource): string => `import { expect, it } from "vitest";
import { useSharedApp } from "~/testing/shared-app.ts";

const app = useSharedApp();

it("keeps what a ${noun} says until it is changed or removed", async () => {
  const { status, body: made } = await app.call("POST", "${path}", { body: { text: "First." } });
  expect(status).toBe(201);
  const one = \`${path}/\${made.${noun}_id}\`;
  const { body: changed } = await app.call("PATCH", one, { body: { text: "Second." } });
  expect(changed).toMatchObject({ text: "Second.", revision: 2 });
  expect((await app.call("GET", one)).body).toEqual(changed);
  expect((await app.call("GET", "${path}")).body.data).toContainEqual(changed);
  await app.call("DELETE", one, { body: {} });
  expect((await app.call("GET", one)).status).toBe(404);
});
`;

const arrangements = ({
  group,
  noun,
  path,
}: WantedResource): string => `import type { Arrangements } from "~/../test/arrangements/arranged.ts";
import type { Environment } from "~/kernel/principal.ts";
import type { TestApp } from "~/testing/app.ts";

const body = { text: "Of the test." };

async function ${noun}(app: TestApp, environment: Environment): Promise<{ ${noun}: string }> {
  const { status, text, body: made } = await app.call("POST", "${path}", { environment, body });
  if (status !== 201) throw new Error(\`creating a ${noun} answered \${status}: \${text}\`);
  return { ${noun}: made.${noun}_id };
}

export const arrange: Arrangements = {
  "${group}.list${capital(noun)}s": async () => ({ params: {} }),
  "${group}.create${capital(noun)}": async () => ({ params: {}, body }),
  "${group}.read${capital(noun)}": async (app, environment) => ({ params: await ${noun}(app, environment) }),
  "${group}.change${capital(noun)}": async (app, environment) => ({ params: await ${noun}(app, environment), body }),
  "${group}.remove${capital(noun)}": async (app, environment) => ({ params: await ${noun}(app, environment), body: {} }),
};
`;

export const migrationFile = ({ noun, table }: WantedResource): string => `create table ${table} (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  -- What the ${noun} says.
  text text not null,
  author text collate "C" not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint ${table}_pkey primary key (organization, environment, id)
);
`;

/** The list of columns that name somebody (decision 0064) with the author; undefined where it is of another form. */
export function accountable(list: string, { noun, table }: WantedResource): string | undefined {
  const [, head, entries, tail] =
    /^([\s\S]*\nexport const accountableColumns: [^\n]*\n)([\s\S]*?\n)(\};[\s\S]*)$/.exec(list) ?? [];
  if (!head || !entries || !tail) return undefined;
  const added = `  ${table}: { author: tells("who made the ${noun}; no agent reads it") },\n`;
  const next = [...entries.matchAll(/^ {2}(\w+): /gm)].find(([, name = ""]) => name > table);
  const at = next?.index ?? entries.length;
  return `${head}${entries.slice(0, at)}${added}${entries.slice(at)}${tail}`;
}

/** The ids of its operations, each with whether it changes something. */
export const operationIds = ({ group, noun }: WantedResource): readonly (readonly [string, boolean])[] => [
  [`${group}.list${capital(noun)}s`, false],
  [`${group}.read${capital(noun)}`, false],
  [`${group}.create${capital(noun)}`, true],
  [`${group}.change${capital(noun)}`, true],
  [`${group}.remove${capital(noun)}`, true],
];

/** The files of its folder, by name; `~` in an import is `server/src`. */
export function resourceFiles(wanted: WantedResource): readonly (readonly [string, string])[] {
  const up = "../".repeat(wanted.folder.split("/").length + 1);
  const files: [string, string][] = [
    ["resource.ts", resource(wanted)],
    ["schemas.ts", schemas(wanted)],
    ["example.ts", example(wanted)],
    ["arrangements.fixture.ts", arrangements(wanted)],
    [`operations/list-${wanted.noun}s.ts`, plain(wanted, "list")],
    [`operations/read-${wanted.noun}.ts`, plain(wanted, "read")],
    [`operations/create-${wanted.noun}.ts`, create(wanted)],
    [`operations/change-${wanted.noun}.ts`, change(wanted)],
    [`operations/change-${wanted.noun}.test.ts`, test(wanted)],
    [`operations/remove-${wanted.noun}.ts`, plain(wanted, "remove")],
  ];
  return files.map(([name, text]) => [
    name,
    text.replaceAll('"~/', `"${name.startsWith("operations/") ? "../" : ""}${up}`),
  ]);
}

/** A column of `schema.sql` as TypeScript sees it: what is read, and what may be written. */
interface Column {
  readonly name: string;
  readonly read: string;
  readonly write: string;
  readonly optional: boolean;
}

const TABLE = /^create table (\w+) \(\n([\s\S]*?)\n\)/gm;
const COLUMN = /^ {2}(\w+) (timestamp with time zone|double precision|bit varying|\w+)(\[\])?(.*?),?$/;
const ALLOWED = /CHECK \(\((\w+) = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)\)/g;

/** PostgreSQL's types as `db/pool.ts` reads them; json is written as text, because the driver would send an array as an array of PostgreSQL. */
const types: Readonly<Record<string, readonly [read: string, write: string]>> = {
  text: ["string", "string"],
  integer: ["number", "number"],
  smallint: ["number", "number"],
  bigint: ["number", "number"],
  real: ["number", "number"],
  "double precision": ["number", "number"],
  numeric: ["number", "number"],
  boolean: ["boolean", "boolean"],
  "timestamp with time zone": ["Date", "Date"],
  date: ["string", "string"],
  bytea: ["Buffer", "Buffer"],
  "bit varying": ["string", "string"],
  jsonb: ["unknown", "string"],
  json: ["unknown", "string"],
  tsvector: ["string", "string"],
  xid8: ["string", "string"],
};

/** The TypeScript file with an interface for each table of the schema, for kysely. Throws where a column has a type that is not in the table above. */
export function tableTypes(schema: string): string {
  const tables = [...schema.matchAll(TABLE)].map(([, name, body]) => ({
    name: name as string,
    columns: columnsOf(name as string, body as string),
  }));
  const interfaces = tables.map(
    ({ name, columns }) => `export interface ${pascal(name)} {\n${columns.map(lineOf).join("\n")}\n}\n`,
  );
  const all = tables.map(({ name }) => `  ${name}: ${pascal(name)};`);
  const shared = tables.filter(({ columns }) => has(columns, "organization") && !has(columns, "environment"));
  return `// Generated from ../schema.sql by \`npm run gen\`.
import type { ColumnType } from "kysely";

${interfaces.join("\n")}
/** Every table by its name. */
export interface Tables {
${all.join("\n")}
}

/** Tables that all environments of an organization share: they have no column for the environment. */
export const sharedByEnvironments: ReadonlySet<string> = new Set([
${shared.map(({ name }) => `  "${name}",`).join("\n")}
]);
`;
}

const has = (columns: readonly Column[], name: string): boolean => columns.some((column) => column.name === name);

function columnsOf(table: string, body: string): Column[] {
  const allowed = new Map([...body.matchAll(ALLOWED)].map(([, name, list]) => [name, unionOf(list as string)]));
  return body
    .split("\n")
    .filter((line) => !/^ {2}constraint /.test(line))
    .map((line) => {
      const [, name, type, array = "", rest] = COLUMN.exec(line) ?? [];
      const known = types[type as string];
      if (!known)
        throw new Error(
          `table "${table}" in schema.sql: no TypeScript type for the column "${line.trim()}"; add it to scripts/checks/table-types.ts`,
        );
      const union = allowed.get(name as string);
      const empty = rest?.includes("not null") ? "" : " | null";
      const of = (one: string): string =>
        `${array && /\|/.test(union ?? "") ? `(${union})` : (union ?? one)}${array}${empty}`;
      const optional = empty !== "" || / default | generated /.test(` ${rest} `);
      return { name: name as string, read: of(known[0]), write: of(known[1]), optional };
    });
}

const unionOf = (list: string): string => [...list.matchAll(/'([^']*)'/g)].map(([, one]) => `"${one}"`).join(" | ");

function lineOf({ name, read, write, optional }: Column): string {
  const plain = read === write && !optional;
  return `  ${name}: ${plain ? read : `ColumnType<${read}, ${write}${optional ? " | undefined" : ""}, ${write}>`};`;
}

const pascal = (name: string): string => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

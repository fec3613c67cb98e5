import {
  type AccountableColumn,
  accountableColumns,
  actorsKeptOtherwise,
  type Meaning,
} from "./accountable-columns.ts";
import { type Finding, lineAt, type Source } from "./sources.ts";

const schemaFile = "server/src/db/schema.sql";
const list = "scripts/checks/accountable-columns.ts";
/** Columns that name somebody, or the key by which they act. */
const naming = /^(?:principal|owner|author|key_id|\w+_by)$/;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly line: number;
}

type Listed = Readonly<Record<string, Readonly<Record<string, AccountableColumn>>>>;

/** Columns that name somebody of which nobody said what they mean (docs/decisions/0064), and those whose rows do not store what that demands. */
export function accountableFindings(sources: readonly Source[], listed: Listed = accountableColumns): Finding[] {
  const schema = sources.find(({ file }) => file === schemaFile);
  if (!schema) return [];
  const columns = columnsOf(schema);
  return [...unlisted(columns, listed), ...gone(columns, listed), ...withoutStore(columns, listed)];
}

function columnsOf({ text }: Source): Column[] {
  return [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)].flatMap(({ index, 1: table, 2: body }) => {
    const first = lineAt(text, index) + 1;
    return (body as string).split("\n").flatMap((line, at) => {
      const [, name, type] = /^ {2}(?!constraint )"?(\w+)"? ([\w[\]]+)/.exec(line) ?? [];
      return name === undefined ? [] : [{ table: table as string, name, type: type as string, line: first + at }];
    });
  });
}

const unlisted = (columns: readonly Column[], listed: Listed): Finding[] =>
  columns
    .filter(({ table, name }) => naming.test(name) && listed[table]?.[name] === undefined)
    .map(({ table, name, line }) => ({
      file: schemaFile,
      line,
      what: `${table}.${name} names somebody: say in ${list} whether it acts, decides or tells (decision 0064)`,
    }));

function gone(columns: readonly Column[], listed: Listed): Finding[] {
  const there = new Set(columns.map(({ table, name }) => `${table}.${name}`));
  return Object.entries(listed)
    .flatMap(([table, entries]) => Object.keys(entries).map((name) => `${table}.${name}`))
    .filter((column) => !there.has(column))
    .map((column) => ({ file: list, line: 1, what: `names ${column}, which does not exist: take it off the list` }));
}

function withoutStore(columns: readonly Column[], listed: Listed): Finding[] {
  const json = new Set(columns.filter(({ type }) => type === "jsonb").map(({ table, name }) => `${table}.${name}`));
  const there = new Set(columns.map(({ table, name }) => `${table}.${name}`));
  return columns.flatMap(({ table, name, line }) => {
    const entry = listed[table]?.[name];
    if (!entry) return [];
    const isThere = (column: string): boolean => (isStore(column) ? json : there).has(column);
    const missing = meaningsOf(entry)
      .flatMap((meaning) => demanded(table, meaning, entry))
      .filter((column) => !isThere(column));
    return missing.map((column) => ({
      file: schemaFile,
      line,
      what: `${table}.${name} ${meaningsOf(entry).join(" and ")}: add the column ${column} of type jsonb, which stores who is accountable (decision 0064)`,
    }));
  });
}

const isStore = (column: string): boolean => /\.actor$|deciders$/.test(column);
const meaningsOf = ({ is }: AccountableColumn): readonly Meaning[] => (typeof is === "string" ? [is] : is);

/** Where a row stores who is accountable, by what its column means. */
function demanded(table: string, meaning: Meaning, { stored }: AccountableColumn): readonly string[] {
  if (meaning === "tells") return [];
  if (meaning === "decides") return [stored ?? `${table}.deciders`];
  return (actorsKeptOtherwise[table] ?? ["actor"]).map((column) => `${table}.${column}`);
}

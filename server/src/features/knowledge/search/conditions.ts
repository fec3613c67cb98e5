import { type Sight, visibleText } from "../access.ts";

/** All of them have to hold. */
export interface Filters {
  readonly documents?: readonly string[];
  readonly external_ids?: readonly string[];
  readonly kinds?: readonly string[];
  readonly sources?: readonly string[];
  readonly created_after?: string;
  readonly created_before?: string;
  readonly updated_after?: string;
  readonly updated_before?: string;
  /** By key: the value, or several of which one has to match. A list in a document matches by any of its values. */
  readonly metadata?: Readonly<Record<string, MetadataValue | readonly MetadataValue[]>>;
}

export type MetadataValue = string | number | boolean;

export interface Conditions {
  readonly sight: Sight;
  readonly filters: Filters;
  /** Text forms of queries that must match, and that must not. */
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

type Bind = (value: unknown) => string;

export const restricts = ({ sight, phrases, excluded, ...rest }: Conditions): boolean =>
  phrases.length > 0 || excluded.length > 0 || sight.some((tokens) => tokens !== null) || filters(rest);

export const filters = ({ filters: given }: Pick<Conditions, "filters">): boolean =>
  Object.values(given).some((value) => value !== undefined);

/** SQL over `c` (chunks), `d` (documents) and `b` (knowledge_bases). */
export function conditionText({ sight, filters: given, phrases, excluded }: Conditions, bind: Bind): string {
  const parts = [visibleText(sight, ["d.readers", "b.readers"], bind)];
  const any = (column: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) parts.push(`${column} = any(${bind(values)}::text[])`);
  };
  const time = (column: string, sign: string, value: string | undefined): void => {
    if (value !== undefined) parts.push(`${column} ${sign} ${bind(value)}::timestamptz`);
  };
  any("d.id", given.documents);
  any("d.external_id", given.external_ids);
  any("c.kind", given.kinds);
  any("d.source", given.sources);
  time("d.created_at", ">=", given.created_after);
  time("d.created_at", "<", given.created_before);
  time("d.updated_at", ">=", given.updated_after);
  time("d.updated_at", "<", given.updated_before);
  for (const [key, value] of Object.entries(given.metadata ?? {})) {
    const forms = [value].flat().flatMap((one) => [JSON.stringify({ [key]: one }), JSON.stringify({ [key]: [one] })]);
    parts.push(`d.metadata @> any(${bind(forms)}::jsonb[])`);
  }
  for (const phrase of phrases) parts.push(`c.lexemes @@ ${bind(phrase)}::tsquery`);
  for (const word of excluded) parts.push(`not c.lexemes @@ ${bind(word)}::tsquery`);
  return parts.join(" and ");
}

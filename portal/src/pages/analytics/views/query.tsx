import { Play } from "lucide-react";
import type { FormEvent } from "react";
import { type QueryBody, queryFigures, readAnalyticsSchema } from "../../../api/analytics-query.ts";
import { useLive, usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { windowRequest } from "../../../lib/window-request.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CodeBlock } from "../../../ui/code.tsx";
import { Chips, Field } from "../../../ui/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../ui/states.tsx";
import { BreakdownCard } from "../breakdown.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import type { AnalyticsSearch } from "../search.ts";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";
import { dimensionTitle, titleOf, unitOf } from "../words.ts";

type Known = Schema<"AnalyticsSchema">;

const listOf = (text: string | undefined): string[] => text?.split(",").filter((one) => one !== "") ?? [];

/** The query of an address; null where it names no measure. */
function bodyOf(search: AnalyticsSearch): Omit<QueryBody, "from" | "to"> | null {
  const measures = listOf(search.measures);
  if (measures.length === 0) return null;
  const dimensions = listOf(search.dimensions);
  return {
    measures: measures as QueryBody["measures"],
    ...(dimensions.length > 0 ? { dimensions } : {}),
    ...(search.where ? { where: search.where } : {}),
  };
}

/** Own queries: any measures by any of their dimensions, as a table or over time. */
export function QueryView({ search, onSearch }: ViewProps) {
  const { data: known } = usePrefetched(readAnalyticsSchema());
  return (
    <>
      <Builder known={known} search={search} onSearch={onSearch} />
      <Answer search={search} />
    </>
  );
}

function Builder({ known, search, onSearch }: ViewProps & { readonly known: Known }) {
  const measures = listOf(search.measures);
  const dimensions = listOf(search.dimensions);
  const families = new Set(known.measures.filter(({ name }) => measures.includes(name)).map(({ family }) => family));
  // What all of the chosen measures have.
  const fitting = known.dimensions.filter((one) => [...families].every((family) => one.families.includes(family)));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch({ where: String(new FormData(event.currentTarget).get("where")).trim() || undefined });
  };
  return (
    <Card title="Query">
      <form onSubmit={submit} className="grid gap-4 text-sm">
        {[...new Set(known.measures.map(({ family }) => family))].map((family) => (
          <div key={family} className="grid gap-1.5">
            <p className="text-xs font-medium text-muted">Measures of {family}</p>
            <Chips
              label={`Measures of ${family}`}
              options={known.measures
                .filter((one) => one.family === family)
                .map(({ name }) => [name, titleOf(name)] as const)}
              chosen={measures}
              onChange={(next) => onSearch({ measures: next.join(",") || undefined })}
            />
          </div>
        ))}
        <div className="grid gap-1.5">
          <p className="text-xs font-medium text-muted">Rows by</p>
          <Chips
            label="Rows by"
            options={fitting.map(({ name }) => [name, dimensionTitle(name)] as const)}
            chosen={dimensions}
            onChange={(next) => onSearch({ dimensions: next.slice(-5).join(",") || undefined })}
          />
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <Field
            name="where"
            label="Only where"
            className="min-w-64 flex-1"
            defaultValue={search.where}
            placeholder={'agent == "sales" && risk in ["high", "critical"]'}
            hint="A condition in CEL over dimensions."
          />
          <Button type="submit" kind="primary" icon={<Play className="size-4" aria-hidden="true" />}>
            Ask
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Answer({ search }: Pick<ViewProps, "search">) {
  const body = bodyOf(search);
  if (body === null)
    return <EmptyState title="Choose a measure">Then what rows are grouped by, and a condition.</EmptyState>;
  return <Asked body={body} search={search} />;
}

/** To the full five minutes, so that one address is one query for a while. */
const settled = (): number => Math.floor(Date.now() / 300_000) * 300_000;

function Asked({ body, search }: Pick<ViewProps, "search"> & { readonly body: Omit<QueryBody, "from" | "to"> }) {
  const { from, to, grain, time_zone } = windowRequest(search, settled());
  const window = { from, ...(to ? { to } : {}), time_zone };
  const table = useLive(
    queryFigures({ ...body, ...window, compare_to: "previous", sort: `-${body.measures[0]}`, limit: 200 }),
  );
  const { dimensions: _, ...whole } = body;
  const series = useLive(queryFigures({ ...whole, ...window, grain }));
  if (table.error) return <ErrorState error={table.error} onRetry={() => void table.refetch()} />;
  if (table.data === undefined) return <Skeleton lines={5} />;
  const points = series.data?.rows.map(({ figures, ...row }) => ({
    ...row,
    values: Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value])),
  }));
  return (
    <>
      <HeadLine head={{ ...table.data, grain }} />
      <BreakdownCard
        title="Answer"
        rows={table.data.rows}
        more={table.data.more}
        measures={body.measures}
        keyCell={keyCell}
      />
      {points === undefined
        ? null
        : byUnit(body.measures).map((lines) => (
            <Trend
              key={lines.join()}
              title={`${lines.map(titleOf).join(", ")} over time`}
              head={{ grain, time_zone }}
              points={points}
              lines={lines}
            />
          ))}
      <Card title="The same by a call">
        <CodeBlock code={callOf({ ...body, ...window })} label="Command" />
      </Card>
    </>
  );
}

/** Measures that can share an axis. */
const byUnit = (measures: readonly string[]): readonly (readonly string[])[] => [
  ...Map.groupBy(measures, unitOf).values(),
];

const callOf = (body: object): string =>
  `curl -sS ${location.origin}/v1/analytics/query \\\n  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" -H "Accept: text/csv" \\\n  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;

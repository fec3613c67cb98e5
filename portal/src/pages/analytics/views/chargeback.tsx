import { Download } from "lucide-react";
import { readChargeback } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { csvOf, saveText } from "../../../lib/csv.ts";
import { spanText } from "../../../lib/window-request.ts";
import { percent, usd } from "../../../lib/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/states.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Behind } from "../behind.tsx";
import { BySelect } from "../by-select.tsx";
import { useLabels } from "../dimensions.ts";
import { keyCell } from "../key-cell.tsx";
import type { ViewProps } from "../view.ts";
import { dimensionTitle } from "../words.ts";

type Bill = Answer<"/v1/analytics/chargeback">;
type Line = Bill["lines"][number];

/** A month's bill, whose lines sum exactly to its total. */
export function ChargebackView({ search, onSearch }: ViewProps) {
  const { data } = usePrefetched(readChargeback(search));
  const labels = useLabels();
  const options = [...["member", "key", "agent"], ...labels];
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          type="month"
          label="Month"
          value={data.month}
          max={new Date().toISOString().slice(0, 7)}
          onChange={(event) => {
            if (event.currentTarget.value !== "") onSearch({ month: event.currentTarget.value });
          }}
        />
        <BySelect by={data.by} options={options} onChange={(by) => onSearch({ by })} />
        <Button icon={<Download className="size-4" aria-hidden="true" />} onClick={() => download(data)}>
          CSV
        </Button>
      </div>
      {data.complete ? null : (
        <Notice tone="warn">
          Not final: the month is not over, or tasks of it are still open. Lines may still change.
        </Notice>
      )}
      <Card
        title={`Bill of ${data.month}`}
        flush
        aside={<span className="text-lg font-semibold tabular-nums">{usd(data.total.cost_usd)}</span>}
      >
        {data.lines.length === 0 ? (
          <p className="px-5 py-6 text-sm text-muted">Nothing was spent in this month.</p>
        ) : (
          <Table
            label={`Bill of ${data.month}`}
            columns={columns(data.by)}
            rows={data.lines}
            rowKey={({ value }) => value ?? ""}
          />
        )}
      </Card>
      <p className="text-sm text-muted">
        {spanText(data.from, data.to, data.time_zone)} ({data.time_zone}). A task counts in the month in which it was
        dispatched. {data.total.cost_microusd.toLocaleString("en")} millionths of a dollar in all, the exact sum of the
        lines. {usd(data.outside.cost_usd)} more were spent outside of tasks, such as by evaluations and training.
      </p>
    </>
  );
}

const columns = (by: string): readonly Column<Line>[] => [
  {
    name: dimensionTitle(by),
    cell: ({ value, name }) => <span className="font-medium">{keyCell(by, value, name)}</span>,
  },
  {
    name: "Tasks",
    right: true,
    cell: ({ tasks, link }) => <Behind link={link}>{tasks.toLocaleString("en")}</Behind>,
  },
  { name: "Tokens", right: true, wideOnly: true, cell: ({ tokens }) => tokens.toLocaleString("en") },
  { name: "Share", right: true, cell: ({ share }) => (share === null ? "–" : percent(share)) },
  { name: "Cost", right: true, cell: ({ cost_usd }) => <span className="font-medium">{usd(cost_usd)}</span> },
];

function download({ month, by, lines, total, outside }: Bill): void {
  const head = [by, "name", "tasks", "tokens", "cost_microusd", "cost_usd"];
  type Amounts = Pick<Line, "cost_microusd" | "cost_usd"> & Partial<Pick<Line, "name" | "tasks" | "tokens">>;
  const row = (value: string | null, { name, tasks, tokens, cost_microusd, cost_usd }: Amounts) =>
    [value, name ?? null, tasks ?? null, tokens ?? null, cost_microusd, cost_usd] as const;
  saveText(
    `chargeback-${month}-${by.replaceAll(/[^a-z0-9]+/gi, "-")}.csv`,
    csvOf([head, ...lines.map((line) => row(line.value, line)), row("total", total), row("outside_tasks", outside)]),
  );
}

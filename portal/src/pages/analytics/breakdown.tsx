import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Breakdown, Figure } from "../../api/figures.ts";
import { csvOf, saveText } from "../../lib/csv.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Behind } from "./behind.tsx";
import { Change, intervalText, isTooFew } from "./figure.tsx";
import { dimensionText, dimensionTitle, measureText, titleOf, unitOf } from "./words.ts";

interface BreakdownProps {
  readonly title: string;
  readonly rows: readonly Breakdown[];
  /** Measures of the columns; all of the first row by default. */
  readonly measures?: readonly string[];
  /** Whether there are rows beyond those that are shown. */
  readonly more?: boolean;
  readonly aside?: ReactNode;
  readonly empty?: string;
  /** How a value of a dimension is shown where its text is not enough. */
  readonly keyCell?: (dimension: string, value: string | null, name?: string | null) => ReactNode;
  readonly lead?: ReactNode;
}

const most = 3;

/** Figures by dimension: a row for each value. */
export function BreakdownCard(props: BreakdownProps) {
  const { title, rows, more = false, aside, empty = "Nothing in this window.", lead } = props;
  return (
    <Card title={title} flush aside={aside}>
      {lead ? <p className="border-b border-line px-4 py-3 text-sm text-muted sm:px-5">{lead}</p> : null}
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted sm:px-5">{empty}</p>
      ) : (
        <>
          <BreakdownTable {...props} />
          <p className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-xs text-muted sm:px-5">
            <span>{more ? "The largest; those beyond are left out." : ""}</span>
            <Button
              size="small"
              kind="quiet"
              icon={<Download className="size-4" aria-hidden="true" />}
              onClick={() => download(props)}
            >
              CSV
            </Button>
          </p>
        </>
      )}
    </Card>
  );
}

const measuresOf = ({ rows, measures }: BreakdownProps): readonly string[] =>
  measures ?? Object.keys(rows[0]?.figures ?? {});

function BreakdownTable(props: BreakdownProps) {
  const { title, rows, keyCell } = props;
  const dimensions = Object.keys(rows[0]?.key ?? {});
  const measures = measuresOf(props);
  const largest = (name: string): number => Math.max(0, ...rows.map(({ figures }) => figures[name]?.value ?? 0));
  const columns: Column<Breakdown>[] = [
    ...dimensions.map((dimension) => ({
      name: dimensionTitle(dimension),
      cell: ({ key, names }: Breakdown) => (
        <span className="inline-block font-medium break-words md:min-w-28">
          {keyCell?.(dimension, key[dimension] ?? null, names?.[dimension]) ?? dimensionText(key[dimension] ?? null)}
        </span>
      ),
    })),
    ...measures.map((name, index) => ({
      name: titleOf(name),
      right: true,
      wideOnly: index > most,
      cell: ({ figures }: Breakdown) => (
        <FigureCell
          name={name}
          figure={figures[name]}
          {...(index === 0 && !["share", "score"].includes(unitOf(name)) ? { largest: largest(name) } : {})}
        />
      ),
    })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
    <section aria-label={`${title}, all columns`} tabIndex={0} className="overflow-x-auto">
      <Table label={title} columns={columns} rows={rows} rowKey={({ key }) => JSON.stringify(key)} />
    </section>
  );
}

interface CellProps {
  readonly name: string;
  readonly figure: Figure | undefined;
  /** Largest value of the column, where its values are drawn as bars. */
  readonly largest?: number;
}

function FigureCell({ name, figure, largest }: CellProps) {
  if (figure === undefined || figure.value === null)
    return <span className="text-muted">{figure && isTooFew(name, figure) ? `too few (${figure.n})` : "–"}</span>;
  return (
    <span className="inline-grid justify-items-end gap-0.5 tabular-nums" title={intervalText(name, figure)}>
      <span className="flex items-baseline gap-2">
        <Change name={name} figure={figure} />
        <Behind link={figure.link}>{measureText(name, figure.value)}</Behind>
      </span>
      {largest ? (
        <span aria-hidden="true" className="block h-1 w-24 overflow-hidden rounded-full bg-line">
          <span
            className="ml-auto block h-full rounded-full bg-accent"
            style={{ width: `${(figure.value / largest) * 100}%` }}
          />
        </span>
      ) : null}
      <Whisker name={name} figure={figure} />
    </span>
  );
}

/** A share on a scale from 0 to 1, with its interval. */
function Whisker({ name, figure: { value, low, high } }: { readonly name: string; readonly figure: Figure }) {
  if (unitOf(name) !== "share" || value === null || low === null || high === null) return null;
  return (
    <svg viewBox="0 0 96 6" aria-hidden="true" className="h-1.5 w-24 text-accent">
      <line x1="0" x2="96" y1="3" y2="3" className="stroke-line-strong" strokeOpacity="0.5" />
      <rect
        x={low * 96}
        width={Math.max(1, (high - low) * 96)}
        y="1"
        height="4"
        rx="2"
        fill="currentColor"
        opacity="0.35"
      />
      <rect x={Math.min(94, Math.max(0, value * 96 - 1))} width="2" y="0" height="6" fill="currentColor" />
    </svg>
  );
}

function download(props: BreakdownProps): void {
  const { title, rows } = props;
  const [dimensions, measures] = [Object.keys(rows[0]?.key ?? {}), measuresOf(props)];
  const parts = ["value", "low", "high", "n", "previous"] as const;
  saveText(
    `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`,
    csvOf([
      [
        ...dimensions.flatMap((dimension) => [dimension, `${dimension}_name`]),
        ...measures.flatMap((name) => parts.map((part) => (part === "value" ? name : `${name}_${part}`))),
      ],
      ...rows.map(({ key, names, figures }) => [
        ...dimensions.flatMap((dimension) => [key[dimension] ?? null, names?.[dimension] ?? null]),
        ...measures.flatMap((name) => parts.map((part) => figures[name]?.[part] ?? null)),
      ]),
    ]),
  );
}

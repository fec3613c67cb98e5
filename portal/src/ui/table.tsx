import { clsx } from "clsx";
import type { ReactNode } from "react";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly right?: boolean;
  /** Left out where there is little room. */
  readonly wideOnly?: boolean;
  readonly className?: string;
}

export interface TableProps<Row> {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row that the keyboard is on. */
  readonly current?: string | null;
}

/** Rows and columns where there is room; on a phone each row is a card, with the names of the columns before the values. */
export function Table<Row>({ label, columns, rows, rowKey, current }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a table that is shown as blocks is none to some readers; the roles keep it one
    <table role="table" aria-label={label} className="block w-full text-left text-sm md:table">
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="border-b border-line">
          {columns.map(({ name, right }) => (
            <th
              key={name}
              scope="col"
              className={clsx("px-3 py-2.5 text-xs font-medium text-muted first:pl-5 last:pr-5", right && "text-right")}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line md:table-row-group">
        {rows.map((row) => (
          <Cells key={rowKey(row)} id={rowKey(row)} row={row} columns={columns} current={current === rowKey(row)} />
        ))}
      </tbody>
    </table>
  );
}

function Cells<Row>({
  id,
  row,
  columns,
  current,
}: {
  id: string;
  row: Row;
  columns: readonly Column<Row>[];
  current: boolean;
}) {
  return (
    <tr
      data-row={id}
      aria-current={current || undefined}
      className={clsx(
        "relative block px-4 py-3 hover:bg-sunken md:table-row md:p-0",
        current && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      {columns.map((column, index) => (
        <td
          key={column.name}
          className={clsx(
            "gap-3 py-0.5 md:table-cell md:px-3 md:py-3 md:align-middle md:first:pl-5 md:last:pr-5",
            column.wideOnly ? "hidden" : "flex",
            column.right && "md:text-right",
            column.className,
          )}
        >
          {index > 0 ? (
            <span aria-hidden="true" className="w-24 shrink-0 text-muted md:hidden">
              {column.name}
            </span>
          ) : null}
          <span className="min-w-0 break-words md:contents">{column.cell(row)}</span>
        </td>
      ))}
    </tr>
  );
}

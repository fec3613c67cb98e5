import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, listOf, type Row, tableLines } from "./table.ts";
import { cellOf } from "./text.ts";

// Figures of analytics: one a line with the window before and its course, and tables of them by a dimension.

const bars = "▁▂▃▄▅▆▇█";
/** Windows of a course that are drawn. */
const longest = 30;

/** The last values as bars between their least and their most, low where they are all alike; a gap where there is none. */
export function sparkline(values: readonly unknown[]): string {
  const shown = values.slice(-longest);
  const known = shown.filter((value) => typeof value === "number");
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const bar = (value: unknown): string => {
    if (typeof value !== "number") return " ";
    const level = most > least ? (value - least) / (most - least) : 0;
    return bars[Math.round(level * (bars.length - 1))] as string;
  };
  return shown.map(bar).join("").trimEnd();
}

const isShare = (name: string): boolean => /(_rate|_failures|_success|^agreement|^share|^of_\w+)$/.test(name);
const isMoney = (name: string): boolean => /(_usd|^cost_per_\w+|^usd_\w+)$/.test(name);
const isTime = (name: string): boolean => /^(\w+_)?(duration|queue_time|time_to_decide)_p\d+$/.test(name);

const decimals = (value: number, least: number, most: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });

/** A value of a measure as people read it; its name says its unit. */
export function amountOf(name: string, value: unknown): string {
  if (typeof value !== "number") return cellOf(value);
  if (isShare(name)) return `${decimals(value * 100, 0, 1)} %`;
  if (isMoney(name)) return `$${decimals(value, 2, Math.abs(value) < 1 ? 4 : 2)}`;
  if (isTime(name)) return `${decimals(value, 0, value < 10 ? 2 : 0)} s`;
  return decimals(value, 0, Number.isInteger(value) ? 0 : 3);
}

/** How far a value is from the one before: in points of a share, else in percent. */
function changeOf(name: string, value: unknown, previous: unknown): string {
  if (typeof value !== "number" || typeof previous !== "number") return "–";
  const change = isShare(name) ? (value - previous) * 100 : ((value - previous) / previous) * 100;
  if (!Number.isFinite(change)) return "–";
  const text = decimals(Math.abs(change), 0, 1);
  const sign = text === "0" ? "±" : change > 0 ? "+" : "−";
  return `${sign}${text}${isShare(name) ? " points" : " %"}`;
}

export function windowLine({ from, to, time_zone, complete, as_of }: Fields): string {
  const open = complete === false ? `; not complete yet, as of ${cellOf(as_of)}` : "";
  return printable(`${cellOf(from)} to ${cellOf(to)}, days of ${time_zone}${open}`);
}

export function figureLines(figures: unknown, series: unknown, terminal: Terminal): string[] {
  const points = listOf(series).map(({ values }) => fieldsOf(values));
  const rows = Object.entries(fieldsOf(figures)).map(([name, figure]) => {
    const { value, low, high, previous } = fieldsOf(figure);
    return {
      name,
      value: amountOf(name, value),
      interval: typeof low === "number" ? `${amountOf(name, low)} to ${amountOf(name, high)}` : "",
      before: amountOf(name, previous),
      change: changeOf(name, value, previous),
      course: sparkline(points.map((values) => values[name] ?? null)),
    };
  });
  const titles = "FIGURE=name VALUE=value 95_%=interval BEFORE=before CHANGE=change COURSE=course";
  return tableLines(rows, columns(titles), terminal);
}

export function breakdownLines(rows: unknown, measures: readonly string[], terminal: Terminal): string[] {
  const shown = listOf(rows);
  if (shown.length === 0) return [];
  const keys = Object.keys(fieldsOf(shown[0]?.key));
  const named = [
    ...keys.map((key) => ({ title: key.toUpperCase(), of: (row: Row) => fieldsOf(row.key)[key] })),
    ...measures.map((name) => ({
      title: name.toUpperCase(),
      of: (row: Row) => amountOf(name, fieldsOf(fieldsOf(row.figures)[name]).value),
    })),
  ];
  return ["", ...tableLines(shown as readonly Row[], named, terminal)];
}

/** The answer of a query: a row a line, and each measure with its interval and what it was before where it has them. */
export function queryLines(body: Fields, terminal: Terminal): readonly string[] | null {
  if (!Array.isArray(body.rows) || !Array.isArray(body.columns)) return null;
  const described = listOf(body.columns);
  const text = (name: string, member: string) => (row: Row) =>
    amountOf(name, fieldsOf(fieldsOf(row.figures)[name])[member]);
  const interval = (name: string) => (row: Row) => {
    const { low, high } = fieldsOf(fieldsOf(row.figures)[name]);
    return typeof low === "number" ? `${amountOf(name, low)} to ${amountOf(name, high)}` : "";
  };
  const shown = described.flatMap(({ name, of, member }) => {
    const own = String(of);
    if (of === null)
      return name === "from" && body.grain !== null ? [{ title: "FROM", of: (row: Row) => row.from }] : [];
    if (member === null) return [{ title: own.toUpperCase(), of: (row: Row) => fieldsOf(row.key)[own] }];
    if (member === "value") return [{ title: own.toUpperCase(), of: text(own, "value") }];
    if (member === "low") return [{ title: "95 %", of: interval(own) }];
    return member === "previous" ? [{ title: "BEFORE", of: text(own, "previous") }] : [];
  });
  const rows = body.rows as readonly Row[];
  return [
    windowLine(body),
    ...(rows.length === 0 ? ["nothing in this window"] : tableLines(rows, shown, terminal)),
    ...(body.more === true ? ["There are more rows: see --limit."] : []),
  ];
}

import { clsx } from "clsx";
import type { Figure, Point } from "../../api/figures.ts";
import { counted } from "../../lib/words.ts";
import { Sparkline } from "../../ui/sparkline.tsx";
import { Behind } from "./behind.tsx";
import { change, measureText, titleOf, unitOf } from "./words.ts";

const changeTones = { good: "text-good", bad: "text-bad", neutral: "text-muted" };

interface FigureProps {
  /** The measure. */
  readonly name: string;
  readonly figure: Figure;
  /** A series that has the measure among its values. */
  readonly series?: readonly Point[] | undefined;
  readonly title?: string;
  /** What is listed where the figure leads. */
  readonly behind?: string;
}

/** One figure: its value, its interval, how it changed, a small series; it leads to what is behind it. */
export function FigureTile({
  name,
  figure,
  series = [],
  title = titleOf(name),
  behind = "Tasks behind it",
}: FigureProps) {
  const values = series.map((point) => point.values[name] ?? null);
  const open = series.length - 1 - series.findLastIndex(({ complete }) => complete);
  return (
    <li className="grid content-start gap-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
      <p className="text-sm text-muted">{title}</p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Behind link={figure.link} label={behind} className="text-2xl font-semibold tracking-tight tabular-nums">
          {figureText(name, figure)}
        </Behind>
        <Change name={name} figure={figure} />
      </p>
      <p className="min-h-4 text-xs text-muted">{intervalText(name, figure)}</p>
      {series.length > 1 ? <Sparkline values={values} open={Math.min(open, series.length - 1)} /> : null}
    </li>
  );
}

export function Change({ name, figure }: { readonly name: string; readonly figure: Figure }) {
  const changed = change(name, figure.value, figure.previous);
  if (changed === null || figure.previous === null) return null;
  const before = `${measureText(name, figure.previous)} in the window before`;
  return (
    <span title={before} className={clsx("text-xs whitespace-nowrap tabular-nums", changeTones[changed.tone])}>
      {changed.text}
      <span className="sr-only">, {before}</span>
    </span>
  );
}

/** Whether a percentile has no value because it would rest on too few cases. */
export const isTooFew = (name: string, { value, n }: Figure): boolean => value === null && n > 0 && /_p\d+$/.test(name);

/** A figure's value in words. */
export function figureText(name: string, figure: Figure): string {
  if (figure.value !== null) return measureText(name, figure.value);
  return isTooFew(name, figure) ? "too few" : "–";
}

/** The interval of a figure and what it is about. */
export function intervalText(name: string, figure: Figure): string {
  const { value, low, high, n } = figure;
  if (isTooFew(name, figure)) return `${counted(n, "case")}: too few for this figure`;
  if (value === null) return "nothing to measure";
  const interval = low === null || high === null ? "" : `${measureText(name, low)} to ${measureText(name, high)}`;
  const unit = unitOf(name);
  const about = unit === "count" || unit === "tokens" ? "" : `of ${counted(n, "case")}`;
  return [interval, about].filter((part) => part !== "").join(", ");
}

/** Figures side by side. */
export function Figures({
  figures,
  series,
  names = Object.keys(figures),
  titles = {},
  label = "Figures",
}: {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly series?: readonly Point[] | undefined;
  readonly names?: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
  readonly label?: string;
}) {
  return (
    <ul aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11.5rem),1fr))] gap-3">
      {names.map((name) => {
        const figure = figures[name];
        return figure ? (
          <FigureTile key={name} name={name} figure={figure} series={series} {...titled(titles[name])} />
        ) : null;
      })}
    </ul>
  );
}

const titled = (title: string | undefined) => (title === undefined ? {} : { title });

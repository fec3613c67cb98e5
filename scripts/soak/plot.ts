import type { Sample } from "./sample.ts";

export interface Point {
  readonly minute: number;
  readonly sample: Sample;
}

interface Panel {
  readonly title: string;
  readonly names: readonly string[];
  /** By what figures are divided to be shown. */
  readonly unit: number;
  readonly suffix: string;
}

const colours = ["#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f", "#475569"];
const size = { width: 620, height: 250, left: 60, right: 190, top: 34, bottom: 30 };
const mb = { unit: 1024 * 1024, suffix: "MB" };
const mostTables = 8;

/** The figures of a soak as one SVG: memory, disk, tables by size and by rows, calls, and the delay of the event loop. */
export function plot(points: readonly Point[]): string {
  const last = points.at(-1)?.sample ?? {};
  const largest = (end: string): string[] =>
    Object.entries(last)
      .filter(([name]) => name.startsWith("table:") && name.endsWith(end))
      .sort((a, b) => b[1] - a[1])
      .slice(0, mostTables)
      .map(([name]) => name);
  const memory = ["rss_bytes", "heap_total_bytes", "heap_used_bytes", "external_bytes", "database_memory_bytes"];
  const panels: Panel[] = [
    { title: "Memory", names: memory, ...mb },
    {
      title: "Data folder",
      names: ["disk_bytes", "disk_tables_bytes", "disk_wal_bytes", "disk_files_bytes"],
      ...mb,
    },
    { title: "Largest tables, with indexes", names: largest("_bytes"), ...mb },
    { title: "Tables with most rows", names: largest("_rows"), unit: 1000, suffix: "thousand" },
    { title: "Dead rows", names: largest("_dead"), unit: 1, suffix: "rows" },
    {
      title: "Delay of the event loop since the last look",
      names: ["loop_p50_seconds", "loop_p99_seconds", "loop_max_seconds"],
      unit: 0.001,
      suffix: "ms",
    },
  ];
  const columns = 2;
  const [width, height] = [columns * size.width, Math.ceil(panels.length / columns) * size.height];
  const drawn = panels.map((panel, at) => {
    const [x, y] = [(at % columns) * size.width, Math.floor(at / columns) * size.height];
    return `<g transform="translate(${x} ${y})">${draw(panel, points)}</g>`;
  });
  const style = "font-family='sans-serif' font-size='11'";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ${style}>\n<rect width="100%" height="100%" fill="white"/>\n${drawn.join("\n")}\n</svg>\n`;
}

function draw({ title, names, unit, suffix }: Panel, points: readonly Point[]): string {
  const value = (point: Point, name: string): number => (point.sample[name] ?? Number.NaN) / unit;
  const values = points.flatMap((point) => names.map((name) => value(point, name))).filter(Number.isFinite);
  const [most, end] = [Math.max(1e-9, ...values) * 1.05, Math.max(1, points.at(-1)?.minute ?? 1)];
  const [wide, high] = [size.width - size.left - size.right, size.height - size.top - size.bottom];
  const x = (minute: number): number => size.left + (wide * minute) / end;
  const y = (one: number): number => size.top + high * (1 - one / most);
  const lines = names.map((name, at) => {
    const shown = points.filter((point) => Number.isFinite(value(point, name)));
    const path = shown.map((point) => `${x(point.minute).toFixed(1)},${y(value(point, name)).toFixed(1)}`).join(" ");
    const final = shown.at(-1);
    const label = `${name.replace(/^table:/, "").replace(/_(bytes|rows|dead|seconds)$/, "")} ${final ? short(value(final, name)) : ""}`;
    const colour = colours[at % colours.length];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/><text x="${size.width - size.right + 8}" y="${size.top + 12 + at * 16}" fill="${colour}">${label}</text>`;
  });
  const rows = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(most * share);
    return `<line x1="${size.left}" x2="${size.left + wide}" y1="${at}" y2="${at}" stroke="#e5e7eb"/><text x="${size.left - 6}" y="${at + 4}" text-anchor="end">${short(most * share)}</text>`;
  });
  const minutes = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(end * share)}" y="${size.height - 12}" text-anchor="middle">${short(end * share)} min</text>`,
  );
  const head = `<text x="${size.left}" y="20" font-weight="bold">${title} (${suffix})</text>`;
  return [head, ...rows, ...minutes, ...lines].join("");
}

const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

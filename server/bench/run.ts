import { parseArgs } from "node:util";
import { createBench } from "./bench.ts";
import type { Figure } from "./figure.ts";
import { figures } from "./figures/index.ts";
import { machineLines } from "./machine.ts";
import { Missing } from "./programs.ts";
import { judge, type Measured, shown, table } from "./report.ts";

const usage = `Usage: npm run bench -- [figure …] [--quick] [--json]

Measures the figures of the governed call against their bars, each in turn with its baseline. Without names: all of them.

  --quick   shorter runs and fewer rows: shows that everything works, not how fast it is
  --json    the results as one JSON object on standard output

Figures:
${figures.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join("\n")}
`;

/** The figures that were asked for by name; all without names. Undefined where a name is unknown. */
function chosen(names: readonly string[]): readonly Figure[] | undefined {
  if (names.length === 0) return figures;
  const found = names.map((name) => figures.find((figure) => figure.name === name));
  return found.includes(undefined) ? undefined : (found as Figure[]);
}

async function main(args: string[]): Promise<number> {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: flag, json: flag, help: { ...flag, short: "h" } },
  });
  const wanted = chosen(positionals);
  if (values.help || !wanted) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  const out = values.json ? process.stderr : process.stdout;
  const colour = out.isTTY === true && !process.env.NO_COLOR;
  const say = (line: string): void => void out.write(`${line}\n`);
  const { bench, home, end } = await createBench({ quick: values.quick, say });
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (!interrupted) say(`\n${signal}: stopping and removing what was started`);
      interrupted = true;
      void end().finally(() => process.exit(130));
    });
  }
  const machine = await machineLines(home);
  for (const line of machine) say(line);
  const measured: Measured[] = [];
  try {
    for (const figure of wanted) measured.push(await measure(figure));
  } finally {
    await end();
  }
  say(`\n${table(measured, colour)}`);
  if (values.quick) say("\nQuick: runs too short and tables too small to judge by.");
  if (values.json) process.stdout.write(`${JSON.stringify(asJson(machine, values.quick, measured), null, 2)}\n`);
  return measured.some(({ broken }) => broken !== null) ? 1 : 0;

  async function measure(figure: Figure): Promise<Measured> {
    say(`\n${figure.name}: ${figure.title}`);
    const began = performance.now();
    try {
      const results = await figure.run(bench);
      for (const result of results) say(`  => ${result.what}: ${shown(result.value, result.unit)}`);
      say(`  (${((performance.now() - began) / 1000).toFixed(0)} s)`);
      return { figure: figure.name, results, broken: null };
    } catch (error) {
      if (interrupted) return await new Promise<never>(() => undefined); // what broke is what is being stopped; the process ends when all of it has
      const broken = error instanceof Missing ? error.message : ((error as Error).stack ?? String(error));
      say(`  broken: ${broken}`);
      return { figure: figure.name, results: [], broken: (error as Error).message };
    }
  }
}

function asJson(machine: readonly string[], quick: boolean, measured: readonly Measured[]): object {
  return {
    machine,
    quick,
    figures: measured.map(({ figure, results, broken }) => ({
      figure,
      broken,
      results: results.map((result) => ({ ...result, judgement: judge(result) })),
    })),
  };
}

process.exitCode = await main(process.argv.slice(2));

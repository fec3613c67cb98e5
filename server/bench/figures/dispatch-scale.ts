import type { Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { rowsLine } from "../machine.ts";
import { pairs } from "../pairs.ts";
import type { Service } from "../service.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;

/** The rate must not fall because of what was dispatched before. */
export const dispatchScale: Figure = {
  name: "dispatch-scale",
  title: "dispatch with many tasks stored, against an empty table",
  async run(bench) {
    const many = await bench.filled();
    return bench.withService(async (empty) => {
      const folder = await bench.folder("loads");
      const rate = async ({ url, key }: Service): Promise<number> =>
        (await runLoad({ url, load: dispatchLoad(key), connections, seconds: bench.seconds, folder })).perSecond;
      bench.say(
        `  ${connections} connections, ${bench.seconds} s a run, ${bench.pairs} pairs after one run each to warm up; two services, each with its own server`,
      );
      await rate(empty);
      await rate(many);
      const { ratio } = await pairs(
        bench.pairs,
        () => rate(empty),
        () => rate(many),
        (a, b) => bench.say(`  empty ${a.toFixed(0)}/s  full ${b.toFixed(0)}/s  ratio ${(a / b).toFixed(2)}`),
      );
      bench.say(`  at the end: empty ${await rowsLine(empty.pool)}`);
      bench.say(`              full ${await rowsLine(many.pool)}`);
      return [
        { what: "rate when empty over rate when full", value: ratio, unit: "×", bar: 1.3, aim: 1.1, better: "lower" },
      ];
    });
  },
};

// What the tests of threads call there.

export const doubled = (given: { n: number }): { n: number } => ({ n: given.n * 2 });

export function failing(): never {
  throw new TypeError("nothing works");
}

export function endless(): never {
  for (;;);
}

export function ending(): never {
  process.exit(7);
}

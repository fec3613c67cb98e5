/** Statistics of evaluations: quantiles, cluster-robust means and their bounds, corrections for several questions. */
export * from "./cluster-mean.ts";
export * from "./holm.ts";
export * from "./paired.ts";
export * from "./student.ts";

export * from "./beta.ts";
export * from "./cholesky.ts";
export * from "./cluster-mean.ts";
export * from "./holm.ts";
export * from "./normal.ts";
export * from "./paired.ts";
export * from "./student.ts";
export * from "./wilson.ts";

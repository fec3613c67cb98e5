export * from "./datasets/schemas.ts";
export * from "./gates/schemas.ts";
export * from "./reviews/schemas.ts";
export * from "./runs/schemas.ts";
export * from "./scorers/schemas.ts";
export * from "./shadows/schemas.ts";

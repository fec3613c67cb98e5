export * from "./budgets/schemas.ts";
export * from "./kill-switch/schemas.ts";
export * from "./policies/check-schemas.ts";
export * from "./policies/schemas.ts";

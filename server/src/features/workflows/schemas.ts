export * from "./runs-schemas.ts";

// Shapes of the workflows slice on the wire.

export * from "./definitions/schemas.ts";
export * from "./runs/schemas.ts";
export * from "./triggers/schemas.ts";

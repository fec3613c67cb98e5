// Shapes of the chat slice on the wire.
export * from "./conversations-schemas.ts";
export * from "./handoff-schemas.ts";
export * from "./messages-schemas.ts";

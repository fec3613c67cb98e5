// Shapes of the chat slice on the wire.

export * from "./channels/schemas.ts";
export * from "./conversations/message-schemas.ts";
export * from "./conversations/schemas.ts";
export * from "./files/schemas.ts";
export * from "./handoffs/schemas.ts";
export * from "./memory/schemas.ts";
export * from "./turns/schemas.ts";

// Shapes of members and settings on the wire. A part of schemas.ts, which it does not import.

export {};

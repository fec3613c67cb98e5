// Shapes of policies, simulations, checks and violations on the wire. A part of schemas.ts, which it does not import.

export {};

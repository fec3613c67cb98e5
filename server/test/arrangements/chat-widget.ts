import type { Arrangements } from "./arranged.ts";

export const tokenBody = { agent: "sales", user: "customer-4711", origins: ["https://shop.example"] };

export const arrange: Arrangements = {
  "chat.createToken": async () => ({ params: {}, body: tokenBody }),
};

export { answerMs } from "./attempt.ts";
export { claimMs, createDelivery } from "./machine.ts";
export type { DeliveryMachine, DeliveryOptions, Hopeless, WebhookAnswer, WebhookRequest } from "./types.ts";

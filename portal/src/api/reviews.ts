import { type Answer, type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";

export type Review = Answer<"/v1/evaluations/reviews">["data"][number];
export type Monitor = Answer<"/v1/evaluations/monitors">["data"][number];

/** Tasks that were drawn and that the caller has not judged, oldest first. */
export const openReviews = () => untold(read("/v1/evaluations/reviews", { query: { state: "open", limit: 25 } }));
export const listMonitors = () => untold(read("/v1/evaluations/monitors", { query: { limit: 100 } }));

export const submitReview = ({
  review,
  ...body
}: { review: string } & ChangeInput<"post", "/v1/evaluations/reviews/{review}">["body"]) =>
  send("post", "/v1/evaluations/reviews/{review}", { path: { review }, body });
export const createMonitor = (body: ChangeInput<"post", "/v1/evaluations/monitors">["body"]) =>
  send("post", "/v1/evaluations/monitors", { body });
export const removeMonitor = (monitor: string) =>
  send("delete", "/v1/evaluations/monitors/{monitor}", { path: { monitor } });

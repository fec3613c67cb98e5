import { prefetch } from "../../api/queries.ts";
import { listMonitors, openReviews } from "../../api/reviews.ts";
import type { LoaderContext } from "../context.ts";

export const load = ({ queryClient }: LoaderContext) => prefetch(queryClient, openReviews(), listMonitors());

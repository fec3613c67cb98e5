import { expect, it } from "vitest";
import { businessFailure, InfrastructureError, problemCatalogue, refuse, thrownInside } from "../kernel/errors.ts";
import { conflict, internalError } from "../kernel/problems.ts";
import "./index.ts";

/** Problems of status 5xx that say something of what was asked for. */
const outcomes = ["audit_integrity", "identity_provider_failed", "log_stopped", "result_not_intact"];

it("says of each problem of the service's own whether it is an outcome", () => {
  const own = problemCatalogue().filter(({ status }) => status >= 500);
  expect(own.filter(({ infrastructure }) => !infrastructure).map(({ code }) => code)).toEqual(outcomes);
});

it("lets no machine take an error of the infrastructure for a refusal", () => {
  const thrown = thrownInside(refuse(internalError, "The service failed."));
  expect(thrown).toBeInstanceOf(InfrastructureError);
  expect(() => businessFailure(thrown)).toThrow(thrown);
  expect(() => businessFailure(refuse(internalError, "The service failed."))).toThrow("internal_error");
  expect(businessFailure(thrownInside(refuse(conflict, "It is over.")))).toEqual({
    code: "wrong_state",
    detail: "It is over.",
  });
});

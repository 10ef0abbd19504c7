import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { maxReasonLength, maxRejectionReasons } from "../../payments/payment-request.ts";
import { code, line } from "../fields.ts";

/** What the admin chooses from when rejecting, in the order in which it is offered (DECIDE-8). */
export const RejectionReasons = z.object({
  reasons: z.array(line(maxReasonLength, "reason_missing")).check(z.maxLength(maxRejectionReasons, code("too_many_reasons"))),
});
export type RejectionReasons = z.infer<typeof RejectionReasons>;

export const rejectionReasons = {
  get: oc
    .route({ method: "GET", path: "/api/rejection-reasons", summary: "The saved reasons of a rejection" })
    .output(RejectionReasons),
  put: oc
    .route({ method: "PUT", path: "/api/rejection-reasons", summary: "Replace the saved reasons of a rejection" })
    .input(RejectionReasons)
    .output(RejectionReasons),
};

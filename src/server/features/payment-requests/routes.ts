import type { Principal } from "../../platform/http/access.ts";
import { actingAdmin, originForMail, originOf } from "../../platform/http/origin.ts";
import { forAdmin, forAdminTrusted, forStudent, forVerified, type RequestContext } from "../../platform/http/router.ts";
import { checkPaymentRequest } from "./chain/check.ts";
import { approvePaymentRequest, rejectPaymentRequest } from "./decide.ts";
import { listPaymentRequests } from "./list/list.ts";
import {
  countPaymentRequests,
  findPaymentRequest,
  findReceipt,
  listOwnPaymentRequests,
  screenshotLink,
  typicalApprovalSeconds,
} from "./read.ts";
import { reopenPaymentRequest } from "./reopen/reopen.ts";
import { askForRest } from "./rest/ask.ts";
import { payRest } from "./rest/pay.ts";
import { resubmitPaymentRequest } from "./resubmit.ts";
import { seeApproval } from "./see-approval.ts";
import type { Sender } from "./store.ts";
import { submitPaymentRequest } from "./submit.ts";

export const paymentRequestRoutes = {
  submit: forStudent.paymentRequests.submit.handler(({ context, input }) =>
    submitPaymentRequest(context.deps, senderOf(context), {
      input: input.body,
      idempotencyKey: input.headers["idempotency-key"],
    }),
  ),
  resubmit: forStudent.paymentRequests.resubmit.handler(({ context, input }) =>
    resubmitPaymentRequest(context.deps, senderOf(context), {
      id: input.params.id,
      input: input.body ?? {},
      idempotencyKey: input.headers["idempotency-key"],
    }),
  ),
  list: forAdminTrusted.paymentRequests.list.handler(({ context, input }) => listPaymentRequests(context.deps, input)),
  counts: forAdmin.paymentRequests.counts.handler(({ context }) => countPaymentRequests(context.deps)),
  mine: forVerified.paymentRequests.mine.handler(({ context, input }) =>
    listOwnPaymentRequests(context.deps, context.principal.id, input),
  ),
  get: forAdmin.paymentRequests.get.handler(({ context, input }) => findPaymentRequest(context.deps, input.params.id)),
  check: forAdmin.paymentRequests.check.handler(({ context, input }) =>
    checkPaymentRequest(context.deps, context.principal.id, input.params.id),
  ),
  approve: forAdmin.paymentRequests.approve.handler(({ context, input }) =>
    approvePaymentRequest(context.deps, actingAdmin(context), input.params.id, input.body ?? {}),
  ),
  reject: forAdmin.paymentRequests.reject.handler(({ context, input }) =>
    rejectPaymentRequest(context.deps, actingAdmin(context), input.params.id, input.body),
  ),
  reopen: forAdmin.paymentRequests.reopen.handler(({ context, input }) =>
    reopenPaymentRequest(context.deps, actingAdmin(context), input.params.id, input.body),
  ),
  askRest: forAdmin.paymentRequests.askRest.handler(({ context, input }) =>
    askForRest(context.deps, actingAdmin(context), input.params.id, input.body),
  ),
  payRest: forStudent.paymentRequests.payRest.handler(({ context, input }) =>
    payRest(context.deps, senderOf(context), {
      id: input.params.id,
      input: input.body,
      idempotencyKey: input.headers["idempotency-key"],
    }),
  ),
  screenshot: forVerified.paymentRequests.screenshot.handler(async ({ context, input }) => {
    const link = await screenshotLink(context.deps, context.principal, input.params.id, input.query?.part);
    const origin = originOf(context.deps.config.server.publicUrl, context.request);
    return { url: origin + link.path, expires_at: link.expires_at.toISOString() };
  }),
  receipt: forVerified.paymentRequests.receipt.handler(({ context, input }) =>
    findReceipt(context.deps, context.principal, input.params.id),
  ),
  seeApproval: forStudent.paymentRequests.seeApproval.handler(({ context, input }) =>
    seeApproval(context.deps, context.principal.id, input.params.id),
  ),
  approvalTime: forVerified.paymentRequests.approvalTime.handler(async ({ context }) => ({
    typical_seconds: await typicalApprovalSeconds(context.deps),
  })),
};

function senderOf({ deps, principal, request }: RequestContext & { principal: Principal }): Sender {
  return { payer: principal, ip: request.ip, origin: originForMail(deps.config.server.publicUrl, request) };
}

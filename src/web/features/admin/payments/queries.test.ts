// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { settled } from "../../../../../tests/support/settled.ts";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { replaceRequest } from "./queries.ts";
import { paymentRequestOptions } from "./request/queries.ts";

vi.mock("../../../platform/api.ts", () => ({ api: { paymentRequests: { get: vi.fn<() => unknown>() } } }));

const as = (status: PaymentRequestDetail["status"]) => ({ id: "a", status }) as PaymentRequestDetail;

// REVIEW-6
test("a decided request is not undone by a read that began before", async () => {
  const replies: ((detail: PaymentRequestDetail) => void)[] = [];
  vi.mocked(api.paymentRequests.get).mockImplementation(() => new Promise((reply) => replies.push(reply)));
  const observer = new QueryObserver(queryClient, paymentRequestOptions("a"));
  onTestFinished(observer.subscribe(() => {}));
  const status = () => observer.getCurrentResult().data?.status;
  replies[0]!(as("pending"));
  await expect.poll(status).toBe("pending");

  void observer.refetch();
  replaceRequest(as("approved"));
  expect(replies.length).toBe(3);
  replies[1]!(as("pending"));
  await settled();
  expect(status()).toBe("approved");
  replies[2]!(as("rejected"));
  await expect.poll(status).toBe("rejected");
});

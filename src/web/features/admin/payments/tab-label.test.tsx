// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { PaymentsLabel } from "./tab-label.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { paymentRequests: { counts: vi.fn<() => unknown>() } } }));
beforeEach(() => queryClient.clear());

// ADMIN-1
test.each([
  [0, "Payments"],
  [1, "Payments, 1 waiting"],
  [99, "Payments, 99 waiting"],
  [100, "Payments, 99+ waiting"],
])("with %i pending requests the tab is named %s", async (pending, name) => {
  vi.mocked(api.paymentRequests.counts).mockResolvedValue({ pending } as never);
  show(
    <button>
      <PaymentsLabel />
    </button>,
  );
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect((await screen.findByRole("button")).textContent).toBe(name);
});

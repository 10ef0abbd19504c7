// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { repeatAfterStepUp, settleStepUp, useIsStepUpAsked } from "./step-up.ts";

afterEach(cleanup);

/** A call that wants a step-up at first. */
function sensitiveCall() {
  const refusal = new ProductError("step_up_needed");
  return vi.fn<() => Promise<string>>().mockRejectedValueOnce(refusal).mockResolvedValue("done");
}

test("calls that need a step-up at once wait for one question and are repeated", async () => {
  const { result } = renderHook(useIsStepUpAsked);
  const calls = [sensitiveCall(), sensitiveCall()];
  let replies: Promise<string[]> | undefined;
  await act(async () => {
    replies = Promise.all(calls.map((call) => repeatAfterStepUp(call)));
    await Promise.resolve();
  });
  await expect.poll(() => result.current).toBe(true);
  act(() => settleStepUp(true));
  await expect(replies).resolves.toEqual(["done", "done"]);
  expect(result.current).toBe(false);
});

test("a call fails with its own error when the person declines", async () => {
  const { result } = renderHook(useIsStepUpAsked);
  const call = sensitiveCall();
  const reply = repeatAfterStepUp(call);
  await expect.poll(() => result.current).toBe(true);
  act(() => settleStepUp(false));
  await expect(reply).rejects.toMatchObject({ code: "step_up_needed" });
  expect(call).toHaveBeenCalledTimes(1);
});

test("any other error is thrown without a question", async () => {
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(new ProductError("not_found"));
  await expect(repeatAfterStepUp(call)).rejects.toMatchObject({ code: "not_found" });
});

test("nobody is asked where no page shows the question", async () => {
  await expect(repeatAfterStepUp(sensitiveCall())).rejects.toMatchObject({ code: "step_up_needed" });
});

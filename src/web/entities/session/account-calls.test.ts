// @vitest-environment happy-dom
import { AuthApiError, AuthRetryableFetchError, type UserResponse } from "@supabase/auth-js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { auth } from "../../platform/auth-client.ts";
import { changePassword, fetchUser } from "./account-calls.ts";

const updateUser = vi.spyOn(auth, "updateUser");
const refusedWith = (code: string): UserResponse => ({ data: { user: null }, error: new AuthApiError("Refused.", 422, code) });
const lost: UserResponse = { data: { user: null }, error: new AuthRetryableFetchError("Failed to fetch", 0) };
const saved = { data: { user: {} }, error: null } as UserResponse;
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  updateUser.mockReset();
});

// ACCOUNT-6
describe("a new password whose reply was lost", () => {
  beforeEach(async () => {
    updateUser.mockResolvedValueOnce(lost);
    await changePassword("an even finer password").catch(() => {});
  });

  test.each(["same_password", "password_confirmation_wrong", "step_up_needed"])(
    "counts as changed if it was saved, where its repetition is refused with %s",
    async (code) => {
      updateUser.mockResolvedValueOnce(refusedWith(code)).mockResolvedValueOnce(refusedWith("same_password"));
      await changePassword("an even finer password");
      const password = "an even finer password";
      expect(updateUser).toHaveBeenLastCalledWith({ password, current_password: password });
    },
  );

  test("is refused if it was not saved", async () => {
    updateUser.mockResolvedValue(refusedWith("password_confirmation_wrong"));
    await expect(changePassword("an even finer password")).rejects.toMatchObject({ code: "password_confirmation_wrong" });
  });

  test("is refused where it is the present one", async () => {
    updateUser.mockResolvedValue(refusedWith("same_password"));
    const again = changePassword("an even finer password", "an even finer password");
    await expect(again).rejects.toMatchObject({ code: "password_same" });
  });

  test("does not let another password or a later change count as saved", async () => {
    updateUser.mockResolvedValue(refusedWith("same_password"));
    await expect(changePassword("yet another password")).rejects.toMatchObject({ code: "password_same" });
    updateUser.mockResolvedValueOnce(saved);
    await changePassword("an even finer password");
    await expect(changePassword("an even finer password")).rejects.toMatchObject({ code: "password_same" });
  });
});

// SESSION-2
test("a call whose access token is refused is repeated once with a renewed one", async () => {
  const badToken: UserResponse = { data: { user: null }, error: new AuthApiError("Refused.", 401, "bad_jwt") };
  const getUser = vi.spyOn(auth, "getUser").mockResolvedValueOnce(badToken).mockResolvedValueOnce(saved);
  const renewal = { data: { user: null, session: null }, error: null };
  const refreshSession = vi.spyOn(auth, "refreshSession").mockResolvedValue(renewal);
  expect(await fetchUser()).toEqual({ newEmail: undefined, factor: undefined });

  getUser.mockReset().mockResolvedValue(badToken);
  await expect(fetchUser()).rejects.toMatchObject({ code: "unexpected" });
  expect(getUser).toHaveBeenCalledTimes(2);
  expect(refreshSession).toHaveBeenCalledTimes(2);
});

// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { accessToken } from "../../platform/auth-client.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { readEarly } from "./early-reads.ts";

vi.mock("../../platform/auth-client.ts", () => ({ accessToken: vi.fn<() => Promise<string | undefined>>() }));
afterEach(() => queryClient.clear());

const queryFn = vi.fn<() => Promise<string>>(() => Promise.resolve("lessons"));
const read = () => readEarly((client) => [client.query({ queryKey: ["videos"], queryFn })]);

test("what is read early is there for the page, which does not ask again", async () => {
  vi.mocked(accessToken).mockResolvedValue("a token");
  await read();
  await read();
  expect(queryClient.getQueryData(["videos"])).toBe("lessons");
  expect(queryFn).toHaveBeenCalledTimes(1);
});

test.each([
  ["without a session", () => Promise.resolve(undefined)],
  ["while the session cannot be renewed", () => Promise.reject(new ProductError("offline"))],
])("nothing is read early %s", async (_when, token) => {
  queryFn.mockClear();
  vi.mocked(accessToken).mockImplementation(token);
  await read();
  expect(queryFn).not.toHaveBeenCalled();
});

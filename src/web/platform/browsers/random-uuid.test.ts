import { afterEach, expect, test, vi } from "vitest";
import { randomUuid } from "./random-uuid.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  [0x00, "00000000-0000-4000-8000-000000000000"],
  [0xff, "ffffffff-ffff-4fff-bfff-ffffffffffff"],
  [0x1a, "1a1a1a1a-1a1a-4a1a-9a1a-1a1a1a1a1a1a"],
])("bytes of %i make a UUID of version 4, also without crypto.randomUUID", (byte, uuid) => {
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(byte) });
  expect(randomUuid()).toBe(uuid);
});

import { vi } from "vitest";

/** The browser refuses its storage, as Chrome does where all cookies are blocked, until the mocks are restored. */
export function refuseStorage(): void {
  const refuse = (): never => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(refuse);
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(refuse);
}

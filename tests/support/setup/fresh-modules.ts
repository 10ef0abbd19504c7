// Before each file of tests that share a process: the product's modules are loaded anew, and nothing is left of the file before.
import { vi } from "vitest";

vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();
if (typeof document !== "undefined") {
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  history.replaceState(null, "", "/");
}

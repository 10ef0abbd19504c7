import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { operatorCommand } from "./operator-command.ts";

// RUN-11
it("names a script of npm in a clone, and the release's own command elsewhere", () => {
  expect(operatorCommand("secrets:renew", "--yes")).toBe("npm run secrets:renew -- --yes");
  expect(operatorCommand("admin:reset-2fa")).toBe("npm run admin:reset-2fa");
  expect(operatorCommand("secrets:renew", "--yes", tmpdir())).toBe("pipwright secrets:renew --yes");
  expect(operatorCommand("admin:reset-2fa", "", tmpdir())).toBe("pipwright admin:reset-2fa");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { colors } from "./colors.ts";

it("uses the site's colours in mails and in the mailbox", () => {
  const styles = readFileSync(join(import.meta.dirname, "../../../web/styles.css"), "utf8");
  for (const [name, [light, dark]] of Object.entries(colors)) {
    expect(styles).toContain(`--color-${name}: light-dark(${light}, ${dark});`);
  }
});

import { join } from "node:path";
import { quotedTexts } from "../../src/domain/texts/quoted-texts.ts";
import { expect, test } from "../support/sites/course.ts";
import { login } from "../support/browser/login.ts";
import { adminScreens } from "../support/screens/admin.ts";
import { authScreens } from "../support/screens/auth.ts";
import { failures } from "../support/screens/failures.ts";
import { openScreens } from "../support/screens/open.ts";
import { paymentFormScreens } from "../support/screens/payment-form.ts";
import { paymentScreens } from "../support/screens/payment.ts";
import { missingTexts, textsOn } from "../support/screens/quoted.ts";
import { studentScreens } from "../support/screens/student.ts";
import { userScreens } from "../support/screens/users.ts";
import { startStaticHost } from "../support/network/static-host.ts";

const inDemo = ["error.backend_not_configured", "error.coupon_invalid_demo"];
const inAnswers = ["error.refresh_token_invalid"];

// all-screens.spec.ts reads the others where they stand.
test("every quoted text has a place, and every place is known", () => {
  const screens = [
    openScreens,
    authScreens,
    studentScreens,
    paymentScreens,
    paymentFormScreens,
    adminScreens,
    userScreens,
    failures,
  ].flat();
  // A text may stand on more screens than one.
  const covered = new Set([...Object.values(textsOn).flat(), ...inDemo, ...inAnswers]);
  expect([...covered].toSorted()).toEqual([...quotedTexts.keys()].toSorted());
  const names = new Set(screens.map(({ name }) => name));
  expect(Object.keys(textsOn).filter((name) => !names.has(name))).toEqual([]);
});

test("the quoted texts stand on their screens: without a backend", async ({ page }) => {
  const host = await startStaticHost(join(import.meta.dirname, "../../dist/demo"));
  await login(page, { email: "visitor@example.com", password: "a fine long password" }, host.origin);
  await expect.poll(() => missingTexts(page, ["error.backend_not_configured"])).toEqual([]);
  await page.goto(`${host.origin}/payment`);
  await page.getByLabel("Coupon code").fill("nope");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => missingTexts(page, ["error.coupon_invalid_demo"])).toEqual([]);
  host.close();
});

test("a refused refresh token has the quoted text", async ({ course }) => {
  const reply = await fetch(`${course.site.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refresh_token: "no such token" }),
  });
  expect(await reply.text()).toContain(quotedTexts.get("error.refresh_token_invalid")?.text);
});

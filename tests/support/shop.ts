import { startApp, type TestApp, type TestAppOptions } from "./app.ts";
import { setUpWallets } from "./payments.ts";
import { admin, type Person } from "./people.ts";

/** The product with all three payment methods set up, and its admin signed in. */
export async function startShop(options?: TestAppOptions): Promise<{ app: TestApp; operator: Person }> {
  const app = await startApp(options);
  const operator = await admin(app);
  await setUpWallets(operator);
  return { app, operator };
}

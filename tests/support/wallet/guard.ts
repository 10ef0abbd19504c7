import type { TestApp } from "../app.ts";
import { mailsTo } from "../mails/received.ts";
import { walletForm } from "../payments.ts";
import type { Answer, Person } from "../people.ts";

export const thiefAddress = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";

/** Saves the wallet settings with the admin's password. */
export const saveWallets = (admin: Person, changes: Partial<typeof walletForm>): Promise<Answer> =>
  admin.call("PUT", "/api/wallet-settings", { ...walletForm, ...changes, current_password: admin.password });

/** The tokens of the undo links that were mailed to an address, newest first. */
export async function undoTokens(app: TestApp, email: string): Promise<string[]> {
  return (await mailsTo(app, email)).flatMap(({ text }) => /\/undo#([\w-]{43})$/m.exec(text)?.[1] ?? []);
}

import type { Transaction } from "../../../src/server/platform/db/database.ts";
import { transaction } from "../../../src/server/platform/db/transaction.ts";
import type { TestApp } from "../app.ts";

/** Returns what `read` returns where no index is scanned, since rows from an index have its order of themselves. */
export function withoutIndexes<Result>(app: TestApp, read: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return transaction(app.deps.db, async (tx) => {
    await tx.execute("set local enable_indexscan = off");
    return read(tx);
  });
}

import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateBefore, migrateThrough } from "../support/database/earlier-version.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

const slipCodes = "0076-slip-codes.sql";
let database: ScratchDatabase;

beforeEach(async () => {
  database = await scratchDatabase("empty");
  await migrateBefore(database, slipCodes);
});
afterEach(() => database.drop());

/** Inserts a slip that waits, as every release does. */
async function insertSlip(name: string): Promise<void> {
  await database.client.query(
    `with object as (
       insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
       values (gen_random_uuid(), 'payment-screenshots', $1, 'a.png', 'image/png', 1, now()) returning id
     )
     insert into transfer_slips (object_id, next_attempt_at) select id, now() from object`,
    [name],
  );
}

/** Stores what was read, as the releases before `slip_codes` do. */
async function readSlip(name: string, reference: string | null): Promise<void> {
  await database.client.query(
    `update transfer_slips set outcome = case when $2::text is null then 'no_code' else 'read' end, read_at = now(),
       next_attempt_at = null, sending_bank = case when $2::text is not null then '014' end, reference = $2, reference_form = upper($2)
     from stored_objects where id = object_id and name = $1`,
    [name, reference],
  );
}

// SLIP-4
it("compares the codes that earlier releases read, before the update and during it", async () => {
  for (const name of ["before", "blank before", "during", "blank during"]) await insertSlip(name);
  await readSlip("before", "abc1");
  await readSlip("blank before", null);
  await migrateThrough(database, slipCodes);
  await readSlip("during", "abc2");
  await readSlip("blank during", null);
  const { rows } = await database.client.query(`
    select name, sending_bank, reference, reference_form from slip_codes join stored_objects on id = object_id order by name`);
  expect(rows).toEqual([
    { name: "before", sending_bank: "014", reference: "abc1", reference_form: "ABC1" },
    { name: "during", sending_bank: "014", reference: "abc2", reference_form: "ABC2" },
  ]);
});

// FILE-7
it("deletes the codes of a picture with its file", async () => {
  await insertSlip("before");
  await readSlip("before", "abc1");
  await migrateThrough(database, slipCodes);
  await database.client.query("delete from stored_objects");
  expect((await database.client.query("select 1 from slip_codes")).rows).toEqual([]);
});

import type { TestApp } from "../app.ts";

/**
 * Runs `action` while the rows of a table are deleted right after any insert into it that adds none, as another transaction may delete the row
 * that it found there. Returns what `action` returns.
 */
export async function deletedAfterInsert<Result>(app: TestApp, table: string, action: () => Promise<Result>): Promise<Result> {
  await app.sql(`
    create function delete_found() returns trigger language plpgsql as $$
    begin
      if not exists (select from added) then
        delete from ${table};
      end if;
      return null;
    end $$;
    create trigger delete_found after insert on ${table}
      referencing new table as added for each statement execute function delete_found()`);
  try {
    return await action();
  } finally {
    await app.sql("drop function delete_found cascade");
  }
}

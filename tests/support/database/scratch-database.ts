import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { databaseUrl } from "./database-url.ts";

/** A database of a test's own on the run's PostgreSQL. */
export interface ScratchDatabase {
  connection: pg.ClientConfig;
  /** What DATABASE_URL is set to for it. */
  url: string;
  /** One open connection to it. */
  client: pg.Client;
  drop(): Promise<void>;
}

/** An empty database, or a copy of the migrated one. */
export async function scratchDatabase(kind: "empty" | "migrated"): Promise<ScratchDatabase> {
  const postgres = inject("postgres");
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  const run = async (statement: string): Promise<void> => {
    const admin = new pg.Client({ ...postgres, database: "postgres" });
    await admin.connect();
    try {
      await admin.query(statement);
    } finally {
      await admin.end();
    }
  };
  await run(`create database ${name} ${kind === "migrated" ? "template template_migrated strategy file_copy" : ""}`);
  const connection = { ...postgres, database: name };
  const client = new pg.Client(connection);
  await client.connect();
  return {
    connection,
    url: databaseUrl(connection),
    client,
    async drop() {
      await client.end();
      await run(`drop database ${name} with (force)`);
    },
  };
}

import * as z from "zod";

/** Names of the entries of a backup, in their order: manifest, secrets, pieces of tables, sequences, objects. */
export const entryNames = {
  manifest: "manifest.json",
  secrets: "secrets.json",
  /** Pieces of a table's rows as COPY writes them; they may be cut anywhere and are counted from 1. */
  rows: (table: string, piece: number) => `tables/${table}/${String(piece).padStart(6, "0")}`,
  sequences: "sequences.json",
  object: (id: string) => `objects/${id}`,
};

/** Changes when an older program could not read a backup. */
export const backupFormat = 1;

export const Manifest = z.object({
  format: z.literal(backupFormat, { error: "of another format" }),
  created_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});
export type Manifest = z.output<typeof Manifest>;

export const Sequences = z.array(z.object({ table: z.string(), column: z.string(), value: z.string().regex(/^\d+$/) }));

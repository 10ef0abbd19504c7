import type pg from "pg";

/** Returns what DATABASE_URL is set to for a connection without a password. */
export const databaseUrl = ({ host, user, port, database }: pg.ClientConfig): string =>
  `postgres:///${database}?${new URLSearchParams({ host: host!, user: user!, port: String(port) }).toString()}`;

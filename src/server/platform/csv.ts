/** A value of a table; text of a person, a decimal string, a time, or nothing. */
export type CsvValue = string | number | Date | null;

/** A table of any length, read a batch of rows at a time. */
export interface CsvTable {
  columns: readonly string[];
  batches: AsyncIterable<CsvValue[][]>;
}

/** So many that a query's own time does not count, and so few that memory stays flat. */
const batchSize = 1000;

/**
 * Returns the rows of a query in batches: `find` reads those after the last row of the batch before. Neither a connection nor a snapshot is
 * held between two batches, however slowly they are taken.
 */
export async function* inBatches<Row>(
  find: (after: Row | undefined, limit: number) => Promise<Row[]>,
  valuesOf: (row: Row) => CsvValue[],
): AsyncGenerator<CsvValue[][]> {
  let last: Row | undefined;
  do {
    const rows = await find(last, batchSize);
    if (rows.length > 0) yield rows.map(valuesOf);
    last = rows.length === batchSize ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

/** Returns a table as CSV (RFC 4180) in UTF-8 with a byte order mark, which spreadsheets need, in pieces of a batch each (EXPORT-2). */
export async function* csvOf({ columns, batches }: CsvTable): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(columns)}`;
  for await (const rows of batches) yield rows.map(csvLine).join("");
}

/** Returns one line, quoted where it must be. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map((value) => quoted(value instanceof Date ? value.toISOString() : safe(String(value ?? "")))).join(",")}\r\n`;
}

const quoted = (text: string): string => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What a spreadsheet would run as a formula, also in the wide forms of East Asian keyboards. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** A spreadsheet that separates by semicolons starts a new cell at each one, even inside our quotes. */
const laterFormula = /;[\s"]*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const decimal = /^-?\d+(\.\d+)?$/;

/** Puts an apostrophe before a formula, which makes it text (OWASP, CSV injection); a negative number stays as it is. */
const safe = (text: string): string =>
  (formula.test(text) && !decimal.test(text) ? `'${text}` : text).replace(laterFormula, "$&'");

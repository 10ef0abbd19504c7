/** Returns the rows of a CSV text (RFC 4180) as a spreadsheet reads them; throws where a quote stands in the wrong place. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`No CSV at ${at}: ${text.slice(at, at + 60)}`);
    const [, quoted, plain = "", end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Returns the rows of a CSV text with a header, each as an object of its columns. */
export function csvRecords(text: string): Record<string, string>[] {
  const [columns = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));
}

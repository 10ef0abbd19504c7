/** What became of the promises of one kind. */
export interface Finding {
  promise: string;
  /** How many were acknowledged, or follow from what was. */
  count: number;
  /** What is missing, wrong or there too often, a line each. */
  lost: string[];
}

/** A finding that is filled while its promises are gone through. */
export function finding(promise: string): Finding & { expect(holds: boolean, otherwise: string): void } {
  const lost: string[] = [];
  const result = {
    promise,
    count: 0,
    lost,
    expect(holds: boolean, otherwise: string) {
      result.count += 1;
      if (!holds) lost.push(otherwise);
    },
  };
  return result;
}

/** Rows by one of their columns. */
export function grouped<Row extends Record<string, any>>(rows: Row[], column: keyof Row): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(row[column]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

export type Read = (statement: string) => Promise<any[]>;

/** What one field was before and after an action; null where it was not there. */
export interface AuditChange {
  /** Empty where the entry has a single value. */
  field: string;
  before: string | null;
  after: string | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const written = (value: unknown): string | null =>
  value == null ? null : typeof value === "string" ? value : JSON.stringify(value);

/** Returns the fields that differ between `before` and `after` of an entry's details, in their order there (AUDIT-3). */
export function auditChanges({ before, after }: Record<string, unknown>): AuditChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: written(was[field]), after: written(is[field]) }))
    .filter((change) => change.before !== change.after);
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : { "": value });

/** Returns the other details of an entry, each as a text. */
export function auditFacts({
  before: _before,
  after: _after,
  ...facts
}: Record<string, unknown>): [field: string, value: string][] {
  return Object.entries(facts).flatMap(([field, value]) => {
    const text = written(value);
    return text === null || text === "" ? [] : [[field.replaceAll("_", " "), text]];
  });
}

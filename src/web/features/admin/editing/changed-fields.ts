/**
 * Returns the fields of a form that differ from what it was opened with: what others changed meanwhile stays. Undefined if there are none, which
 * calls refuse.
 */
export function changedFields<Fields extends object>(before: Partial<Fields>, after: Fields): Partial<Fields> | undefined {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof Fields]);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Fields>);
}

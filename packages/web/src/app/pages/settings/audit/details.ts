/** The change as one line, by name: `from: OWNER, to: ADMIN`. */
export function detailsText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

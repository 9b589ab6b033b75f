/** The bands of the grades: 90 and 50. */
export const colorOf = (score: number): string =>
  score >= 90 ? 'var(--pass)' : score >= 50 ? 'var(--severity-medium)' : 'var(--severity-high)';

import type { ReactNode } from 'react';

/** A text of the service: what stands between backticks is code, as in Markdown. Everything stays text. */
export function Words({ text }: { text: string }): ReactNode {
  const parts = text.split(/`([^`\n]+)`/);
  // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal, and their order never changes.
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes untrusted text for Markdown. A zero-width space separates `@` and `#` from mentions and issue numbers,
 * because a backslash does not keep GitHub from linking them.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]#|~$!^]/g, '\\$&')
    .replace(/[&<>]/g, (character) => entities[character] ?? '')
    .replace(/(@|\\#)(?=\w)/g, '$1\u200b')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/gm, '$1\\$2');
}

const longestTicks = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));

/** Returns the text as inline code, delimited by more backticks than it contains in a row. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const ticks = '`'.repeat(longestTicks(line) + 1);
  return ticks.length > 1 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Escapes untrusted text, but keeps what our sentences quote between backticks as inline code, so that it can be copied. */
export const markdownText = (text: string): string =>
  text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapeMarkdown(part)))
    .join('');

export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** Returns numbered items, each on one line. */
export const markdownList = (items: readonly string[]): string[] =>
  items.length === 0
    ? []
    : [items.map((item, index) => `${index + 1}. ${markdownText(item.replace(/\s+/g, ' ').trim())}`).join('\n')];

/** Returns a table row. A pipe ends a cell even inside inline code, so it is escaped. */
export const tableRow = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|').replace(/\n/g, ' ')).join(' | ')} |`;

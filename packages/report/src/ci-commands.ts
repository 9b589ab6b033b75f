/** Prefixes each line: CI systems execute lines of a log that begin with a command, such as `::error …`. */
export const quoteLines = (text: string): string => text.replace(/^/gm, '| ');

/**
 * Breaks up what CI systems execute in logs and JUnit files: `::error …` at the beginning of a line, and `##vso[…]`,
 * `##[…]` and `[[ATTACHMENT|…]]` anywhere. A target can bring them into a report by names of parameters.
 */
export const withoutCommands = (text: string): string =>
  text
    .replace(/^([^\S\n]*:)(?=:)/gm, '$1\u200b')
    .replace(/#(?=#[\w-]*\[)/g, '#\u200b')
    .replace(/\[(?=\[ATTACHMENT\|)/gi, '[\u200b');

/** Returns the value as JSON, in which no string has a command of a CI system; parsers read it unchanged. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, null, 2)
    .replace(/#(?=#[\w-]*\[)/g, '\\u0023')
    .replace(/\[(?=\[ATTACHMENT\|)/gi, '\\u005b')}\n`;

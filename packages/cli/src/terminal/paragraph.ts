import { fields } from './text.ts';

/** Line by line: the lines of a text stay, and nothing else in it can give orders to the terminal. */
export function paragraph(text: string): string {
  return text
    .split('\n')
    .map((line) => fields({ '': line }))
    .join('');
}

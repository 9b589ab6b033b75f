import { fields } from './text.ts';

/** Keeps line breaks and replaces all other control characters, so that the text cannot control the terminal. */
export function paragraph(text: string): string {
  return text
    .split('\n')
    .map((line) => fields({ '': line }))
    .join('');
}

/** Returns the output of a program as one line without a full stop, to be quoted in a message. */
export const toLine = (output: string) =>
  output
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');

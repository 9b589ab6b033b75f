import { readdirSync, readFileSync } from 'node:fs';

/** Returns '' if the file is missing or unreadable. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns all current descendants of the process. */
export function descendantsOf(pid: number): number[] {
  const parentOf = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    // The program name may contain any character, including brackets.
    const [, parent = ''] = read(`/proc/${name}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    parentOf.set(Number(name), Number(parent));
  }
  const found = [pid];
  for (const each of found)
    found.push(...[...parentOf].filter(([, parent]) => parent === each).map(([child]) => child));
  return found.slice(1);
}

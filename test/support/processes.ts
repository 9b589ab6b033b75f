import { readdirSync, readFileSync } from 'node:fs';

/** Empty where there is no such file, or none that may be read. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** All processes that come from this one, as they are now. */
export function descendantsOf(pid: number): number[] {
  const parentOf = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    // The name of the program may contain anything, brackets included.
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

/** How often a path is decoded at most: one layer for each server that may stand in front of another. */
const LAYERS = 3;

/** Byte by byte, so that nothing but the percent signs is interpreted. */
const decodeOnce = (path: string) =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** With dot segments resolved, and without empty segments and what follows a semicolon. */
function segmentsOf(path: string, isResolved: boolean): string[] {
  const segments: string[] = [];
  for (const written of path.split(/[/\\]+/)) {
    const segment = written.replace(/;.*$/s, '');
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && isResolved) segments.pop();
    else segments.push(segment);
  }
  return segments;
}

const isAlike = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
const pathOnly = (path: string) => path.replace(/[?#].*$/s, '');
const inBytes = (path: string) => Buffer.from(path, 'utf8').toString('latin1');

/** Every way in which some server may read a path: decoded or not, with dot segments resolved or not. */
function readings(path: string): string[][] {
  const found: string[][] = [];
  // A path that is sent as Latin-1 and one that is sent as UTF-8 are read alike when each is in bytes.
  let text = /[^\0-\xff]/.test(path) ? inBytes(path) : path;
  for (let layer = 0; layer <= LAYERS; layer++) {
    const cut = pathOnly(text);
    found.push(segmentsOf(cut, true), segmentsOf(cut, false));
    if (cut !== text && layer > 0) found.push(segmentsOf(text, true), segmentsOf(text, false));
    text = decodeOnce(layer === 0 ? cut : text);
  }
  return found;
}

/**
 * Whether any reading of the path is one of these or lies below one; whole segments. Many servers do not tell capital
 * letters from small ones, so neither does this.
 */
export function liesUnderAny(path: string, excludedPaths: readonly string[]): boolean {
  const read = readings(path);
  return excludedPaths.some((excluded) => {
    const wanted = segmentsOf(decodeOnce(inBytes(pathOnly(excluded))), true);
    return read.some((segments) => wanted.every((segment, index) => isAlike(segments[index], segment)));
  });
}

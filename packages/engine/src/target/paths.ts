/** Maximum number of decodings of a path: one for each server in a chain of proxies. */
export const LAYERS = 3;

/** Decodes byte by byte, so that only percent escapes are interpreted. */
export const decodeOnce = (path: string) =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * Returns the segments without empty ones and path parameters (after a semicolon), and with dot segments resolved on
 * request.
 */
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

/** Returns every way in which a server may interpret a path: decoded or not, with dot segments resolved or not. */
function readings(path: string): string[][] {
  const found: string[][] = [];
  // Compared as bytes, a path sent as Latin-1 and one sent as UTF-8 match.
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
 * Whether any interpretation of the path equals an excluded path or lies below one, by whole segments.
 * Case-insensitive, because many servers are.
 */
export function liesUnderAny(path: string, excludedPaths: readonly string[]): boolean {
  const read = readings(path);
  return excludedPaths.some((excluded) => {
    const wanted = segmentsOf(decodeOnce(inBytes(pathOnly(excluded))), true);
    return read.some((segments) => wanted.every((segment, index) => isAlike(segments[index], segment)));
  });
}

/** A file system in memory, so that path traversal reaches no real file. */
const files: Record<string, string> = {
  '/srv/shop/documents/returns.txt': 'Bring it back within 30 days, with the pegs.\n',
  '/srv/shop/documents/delivery.txt': 'We deliver on foot. It takes a while.\n',
  '/srv/shop/manuals/tent.txt': 'Put the pegs in first. Then the rain comes.\n',
  '/srv/shop/manuals/stove.txt': 'Outside. Always outside.\n',
  '/srv/shop/settings.ini': '[payments]\nprovider = none\nkey = made-up-key-of-the-range\n',
  '/etc/hostname': 'range\n',
  '/etc/hosts': '127.0.0.1 localhost range\n',
  '/etc/passwd':
    'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nshop:x:1000:1000:The Range:/srv/shop:/bin/sh\n',
};

const folders = new Set(['/', '/dev', ...Object.keys(files).flatMap(foldersOf)]);

function foldersOf(place: string): string[] {
  const parts = place.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/**
 * Returns whether a program could open the path to write, as a system does: also a new file, in a folder that exists.
 * Nothing is written.
 */
export function canOpenMadeUpFile(folder: string, place: string): boolean {
  const parts = place.split('/').filter((part) => part !== '' && part !== '.');
  const name = parts.pop() ?? '..';
  const reached = parts.reduce(enter, place.startsWith('/') ? '/' : folder);
  return folders.has(reached) && name !== '..' && !folders.has(enter(reached, name));
}

/** A folder that does not exist has none above it either. */
function enter(folder: string, part: string): string {
  if (!folders.has(folder)) return '';
  if (part === '..') return folder.replace(/\/[^/]*$/, '') || '/';
  return `${folder === '/' ? '' : folder}/${part}`;
}

export const readMadeUpFile = (place: string): string | undefined =>
  Object.hasOwn(files, place) ? files[place] : undefined;

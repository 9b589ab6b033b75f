/** A file system in memory, so that path traversal reaches no real file. */
const files: Record<string, string> = {
  '/srv/shop/documents/returns.txt': 'Bring it back within 30 days, with the pegs.\n',
  '/srv/shop/documents/delivery.txt': 'We deliver on foot. It takes a while.\n',
  '/srv/shop/manuals/tent.txt': 'Put the pegs in first. Then the rain comes.\n',
  '/srv/shop/manuals/stove.txt': 'Outside. Always outside.\n',
  '/srv/shop/settings.ini': '[payments]\nprovider = none\nkey = made-up-key-of-the-range\n',
  '/etc/hostname': 'range\n',
  '/etc/passwd':
    'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nshop:x:1000:1000:The Range:/srv/shop:/bin/sh\n',
};

export const readMadeUpFile = (place: string): string | undefined =>
  Object.hasOwn(files, place) ? files[place] : undefined;

import { isIPv6 } from 'node:net';

/** Returns an address and port as an entry of an allow list. */
const allowEntry = (address: string, port: number): string =>
  isIPv6(address) ? `[${address}/128]:${port}` : `${address}/32:${port}`;

const REFUSED_ADDRESS = /(\S+) is not a public address/;

/** Returns the entry that allows the address which a message about the URL refuses; undefined if it refuses none. */
export function entryForRefused(message: string, url: string): string | undefined {
  const address = REFUSED_ADDRESS.exec(message)?.[1];
  if (!address || !URL.canParse(url)) return undefined;
  const { port, protocol } = new URL(url);
  return allowEntry(address, Number(port) || (protocol === 'http:' ? 80 : 443));
}

/** Returns the flag of a command that allows the address. Quotes brackets, which a shell would expand. */
export function allowFlag(address: string, port: number): string {
  return `--allow-address ${quoted(allowEntry(address, port))}`;
}

/** Returns the flag that allows the address which a message about the URL refuses; undefined if it refuses none. */
export function flagForRefused(message: string, url: string): string | undefined {
  const entry = entryForRefused(message, url);
  return entry && `--allow-address ${quoted(entry)}`;
}

const quoted = (entry: string) => (entry.startsWith('[') ? `'${entry}'` : entry);

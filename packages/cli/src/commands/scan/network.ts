import { type JudgedScan, type Network, parseAllowList } from '@sortie/engine';
import type { Config } from '../../settings/config.ts';
import { usageError } from '../../terminal/command-error.ts';
import { allowEntry } from './allow-entry.ts';

const CONTACT = /^[\x21-\x7e]{3,100}$/;

/** Returns what a local scan may contact: public addresses, and those of the flags and the environment. */
export function networkFor({ allowAddresses = '', contact }: Config, flags: readonly string[]): Network {
  if (contact !== undefined && !CONTACT.test(contact)) {
    throw usageError('SORTIE_CONTACT must be an e-mail address or a URL');
  }
  return {
    allowAddresses: [
      ...rangesIn('--allow-address', flags.join(',')),
      ...rangesIn('SORTIE_ALLOW_ADDRESSES', allowAddresses),
    ],
    resolvers: [],
    userAgent: `Sortie/1.0 (local scan; ${contact ?? 'no contact was set'})`,
  };
}

function rangesIn(source: string, text: string): string[] {
  const entries = text === '' ? [] : text.split(',');
  try {
    parseAllowList(entries);
  } catch (error) {
    throw usageError(`${source}: ${error instanceof Error ? error.message : error}`);
  }
  return entries;
}

const LOOPBACK = ['127.0.0.1', '::1'];

/** Returns the flags that allow the refused addresses: in a local scan the user may allow them. */
export function hintFor({ gathered, egress }: JudgedScan['scan']): string {
  if (!('code' in gathered) || gathered.code !== 'TARGET_REFUSED') return '';
  const refused = egress.flatMap(({ outcome, host, address, port }) => {
    if (outcome !== 'REFUSED' || address === null) return [];
    // localhost resolves to both addresses, and both must be allowed.
    const addresses = /(?:^|\.)localhost\.?$/i.test(host) ? LOOPBACK : [address];
    return addresses.map((one) => `--allow-address ${rangeOf(one, port)}`);
  });
  if (refused.length === 0) return '';
  return ` If the target is yours, add ${[...new Set(refused)].join(' ')}`;
}

/** Quotes the entry if it has brackets, which a shell would expand. */
function rangeOf(address: string, port: number): string {
  const entry = allowEntry(address, port);
  return entry.startsWith('[') ? `'${entry}'` : entry;
}

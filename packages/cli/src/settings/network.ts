import { type Network, parseAllowList } from '@sortie/engine';
import { usageError } from '../terminal/command-error.ts';
import type { Config } from './config.ts';

const CONTACT = /^[\x21-\x7e]{3,100}$/;

/** Returns what this process may contact: public addresses, and those of the flags and the environment. */
export function networkFor(
  { allowAddresses = '', contact }: Config,
  flags: readonly string[],
  purpose: 'local scan' | 'replay' = 'local scan',
): Network {
  if (contact !== undefined && !CONTACT.test(contact)) {
    throw usageError('SORTIE_CONTACT must be an e-mail address or a URL');
  }
  return {
    allowAddresses: [
      ...rangesIn('--allow-address', flags.join(',')),
      ...rangesIn('SORTIE_ALLOW_ADDRESSES', allowAddresses),
    ],
    resolvers: [],
    userAgent: `Sortie/1.0 (${purpose}; ${contact ?? 'no contact was set'})`,
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

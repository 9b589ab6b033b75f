import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { StartupError } from '../errors/startup-error.ts';

/** Reads the certificate and its key, and checks that they match. Throws the reason if they cannot be used. */
export function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: Buffer; key: Buffer } {
  const pair = { cert: readTlsFile(certFile), key: readTlsFile(keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new StartupError('The TLS certificate and key cannot be used together.', { cause });
  }
  return pair;
}

function readTlsFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new StartupError(`The TLS file ${file} cannot be read.`, { cause });
  }
}

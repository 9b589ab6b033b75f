import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartupError } from '../errors/startup-error.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Returns the certificates of a file one by one. */
export const splitAuthorities = (pem: string): string[] => pem.match(CERTIFICATE) ?? [];

/** Reads the PEM certificates of authorities that engines trust besides the public ones. Throws a `StartupError`. */
export function readAuthorities(file: string): string {
  const certificates = splitAuthorities(readPem(file));
  if (certificates.length === 0) throw new StartupError(`SORTIE_CA_FILE: ${file} has no certificate in PEM form.`);
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new StartupError(`SORTIE_CA_FILE: certificate ${index + 1} of ${file} cannot be read.`, { cause });
    }
  }
  return certificates.join('\n');
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StartupError(`SORTIE_CA_FILE: ${file} cannot be read.`, { cause });
  }
}

import { X509Certificate } from 'node:crypto';
import { readGivenFile } from '../errors/read-given-file.ts';
import { StartupError } from '../errors/startup-error.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Returns the certificates of a file one by one. */
export const splitAuthorities = (pem: string): string[] => pem.match(CERTIFICATE) ?? [];

/**
 * Reads the PEM certificates of authorities that engines trust in addition to the public ones. Throws a `StartupError`
 * if the file has none, or a damaged one.
 */
export function readAuthorities(file: string): string {
  const certificates = splitAuthorities(readGivenFile(file, 'SORTIE_CA_FILE').toString());
  if (certificates.length === 0) throw new StartupError(`No certificate in PEM form: ${file}. Correct SORTIE_CA_FILE.`);
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new StartupError(`Certificate ${index + 1} of ${file} is damaged. Correct the file of SORTIE_CA_FILE.`, {
        cause,
      });
    }
  }
  return certificates.join('\n');
}

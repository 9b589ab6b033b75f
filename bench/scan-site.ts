import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { startNginx } from '@sortie/testing/targets/tls-programs.ts';

const DELAY_MS = 10;

export interface SlowSite {
  /** The same port on each address. */
  port: number;
  /** The root certificate, as a file and as PEM. */
  trusted: string;
  root: string;
  stop(): Promise<void>;
}

/** Starts a TLS site with 20 ms round-trip time on this many addresses from 127.0.0.1; it always supports HTTP/1.1. */
export async function startSlowSite(addresses: number, speaks: 'http/1.1' | 'h2'): Promise<SlowSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-bench-scan-'));
  const root = issue({ name: 'Bench Root', isAuthority: true, to: 3_000 });
  const names = Array.from({ length: addresses }, (_, index) => `IP:127.0.0.${index + 1}`);
  const certificate = issue({ name: 'bench.test', names, issuer: root, timestamps: 2 });
  const trusted = path.join(folder, 'root.pem');
  await writeFile(trusted, root.pem);
  const nginx = await startNginx(
    certificate,
    `ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM; default_type text/html; server_tokens off;
     location = / { return 200 '<!doctype html><title>Hello</title><script src=/assets/app.js></script>'; }
     location / { return 404; }`,
    speaks === 'h2' ? 'ssl http2' : 'ssl',
  );
  const program = path.join(import.meta.dirname, 'slow-proxy.ts');
  const parameters = [nginx.port, DELAY_MS, addresses].map(String);
  const proxy = spawn(process.execPath, [program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => createInterface(proxy.stdout).once('line', resolve));
  return {
    port: Number(line),
    trusted,
    root: root.pem,
    async stop() {
      proxy.kill();
      await nginx[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

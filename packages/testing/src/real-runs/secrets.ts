import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Canaries } from '../secrets/canaries.ts';
import { readArguments, readEnvironments, readFolder } from '../secrets/surfaces.ts';
import type { Accounts } from './mirror.ts';
import type { Credentials } from './real-run.ts';

interface SecretAccounts {
  credentials: Credentials;
  accounts: Accounts;
}

/** Creates test accounts of all kinds that need no separate login page, and what the target knows of them. */
export function createAccounts(secrets: Canaries): SecretAccounts {
  const account = (name: string, alphabet?: 'url') => ({
    name,
    user: secrets.create(`user of ${name}`, alphabet),
    pass: secrets.create(`pass of ${name}`, alphabet),
    instructions: secrets.create(`instructions of ${name}`),
  });
  const form = { ...account('form'), kind: 'FORM_LOGIN' as const };
  const basic = { ...account('basic'), kind: 'BASIC_AUTH' as const };
  // Headers allow only certain characters.
  const bearer = { ...account('bearer', 'url'), kind: 'BEARER_TOKEN' as const };
  const cookie = { ...account('cookie', 'url'), kind: 'COOKIE' as const };
  const key = { ...account('key', 'url'), kind: 'API_KEY' as const };
  const query = { ...account('query'), kind: 'API_KEY' as const, location: 'query' as const };
  const encoded = Buffer.from(`${basic.user}:${basic.pass}`).toString('base64');
  return {
    credentials: [form, basic, bearer, cookie, key, query],
    accounts: {
      form,
      tokens: [
        { name: 'basic', header: 'authorization', value: encoded },
        { name: 'bearer', header: 'authorization', value: bearer.pass },
        { name: 'cookie', header: 'cookie', value: cookie.pass },
        { name: 'key', header: key.user.toLowerCase(), value: key.pass },
        { name: 'query', header: null, value: query.pass },
      ],
    },
  };
}

/** Makes the database log every statement with all its parameters. */
export async function logEveryStatement(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`
    alter role current_user set log_statement = 'all';
    alter role current_user set log_error_verbosity = 'default';
    alter role current_user set log_min_error_statement = 'error';
    alter role current_user set log_parameter_max_length_on_error = -1`);
  await client.end();
}

const PLACES = ['/tmp', '/var/tmp', '/dev/shm'].filter((place) => existsSync(place));

/**
 * Resolves to the temporary files written since then by browsers and engines; databases and data folders are searched
 * separately.
 */
export async function readTemporaryFiles(since: Date): Promise<Buffer> {
  const parts: Buffer[] = [];
  const ofEngines = (await readdir('/tmp')).filter((name) => name.startsWith('sortie-engine-'));
  for (const place of [...PLACES, ...ofEngines.map((name) => path.join('/tmp', name))]) {
    // An engine and its folder may disappear meanwhile.
    const names = (await readdir(place).catch(() => [])).filter((name) => !name.startsWith('sortie-'));
    for (const name of names) {
      const file = path.join(place, name);
      const found = await stat(file).catch(() => undefined);
      if (!found || found.mtime < since) continue;
      parts.push(Buffer.from(`\n${file}\n`));
      // Browsers and their files may disappear meanwhile.
      if (found.isDirectory()) parts.push(await readFolder(file, since).catch(() => Buffer.alloc(0)));
      else if (found.isFile()) parts.push(await readFile(file).catch(() => Buffer.alloc(0)));
    }
  }
  return Buffer.concat(parts);
}

type Passing = 'arguments' | 'environments' | 'temporary files';

/**
 * Polls process arguments, environments and temporary files, which disappear later; records leaks, and how often a
 * browser was running.
 */
export function watchPassing(since: Date, secrets: readonly Pick<Canaries, 'findIn'>[]) {
  const readers: Record<Passing, () => Promise<Buffer>> = {
    arguments: readArguments,
    environments: readEnvironments,
    'temporary files': () => readTemporaryFiles(since),
  };
  const found: Record<Passing, string[]> = { arguments: [], environments: [], 'temporary files': [] };
  const seen = { looks: 0, engines: 0, pages: 0, profiles: 0 };
  let isStopped = false;

  async function look(): Promise<void> {
    for (const [where, read] of Object.entries(readers) as [Passing, () => Promise<Buffer>][]) {
      const bytes = await read();
      found[where].push(...secrets.flatMap((each) => each.findIn(bytes)));
      if (where === 'arguments') {
        if (bytes.includes('engine/bin/engine.js')) seen.engines++;
        if (bytes.includes('--type=renderer')) seen.pages++;
      }
      if (where === 'temporary files' && bytes.includes('playwright_chromiumdev_profile-')) seen.profiles++;
    }
    seen.looks++;
  }

  const watching = (async () => {
    while (!isStopped) {
      await look();
      await sleep(150);
    }
  })();
  return {
    found,
    seen,
    async stop() {
      isStopped = true;
      await watching;
    },
  };
}

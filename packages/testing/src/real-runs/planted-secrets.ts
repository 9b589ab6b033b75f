import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printPdf } from '@sortie/engine';
import type pg from 'pg';
import { CHROMIUM } from '../engine/chromium.ts';

/** Places where a test puts secrets, to show that a search there finds them. */
type Search = () => Promise<void>;

export async function plantEvidence(pool: pg.Pool, runId: string | undefined, texts: string[], search: Search) {
  await pool.query(
    `insert into evidence (pentest_id, fingerprint, position, label, request, response)
     select $1, 'planted', row_number() over (), 'planted', '', text from unnest($2::text[]) as text`,
    [runId, texts],
  );
  await search();
  await pool.query(`delete from evidence where fingerprint = 'planted'`);
}

export async function plantFile(folder: string, texts: string[], search: Search): Promise<void> {
  const file = path.join(folder, 'planted');
  await writeFile(file, texts.join('\n'));
  await search().finally(() => rm(file));
}

interface Planted {
  parameters?: string[];
  env?: Record<string, string>;
}

export async function plantProcess({ parameters = [], env = {} }: Planted, search: Search): Promise<void> {
  const child = spawn('/bin/sleep', ['60'], { argv0: ['sleep', ...parameters].join(' '), env });
  await once(child, 'spawn');
  await search().finally(() => child.kill());
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Prints the texts like evidence of a report, which breaks long words, and the first one as the title, too. */
export async function printTexts(texts: readonly string[]): Promise<Buffer> {
  const [title = ''] = texts;
  const style = 'white-space: pre-wrap; overflow-wrap: anywhere';
  const body = `<title>${escaped(title)}</title><pre style="${style}">${texts.map(escaped).join('\n')}</pre>`;
  return (await printPdf(`<!doctype html><html lang="en">${body}</html>`, CHROMIUM)).pdf;
}

